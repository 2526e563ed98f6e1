import { Button, Menu } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { WebsiteOut } from '@/api/types.gen'
import { ChannelIcon } from '@/components/channel'
import { connectWebsitePath, newArticlePath } from '@/lib/article-paths'

/** A link to a new article for the only website or a chosen one, or to connecting the first website. */
export function NewArticleButton({ websites }: { websites: readonly Pick<WebsiteOut, 'id' | 'name' | 'kind'>[] | undefined }) {
  const { t } = useTranslation(['common', 'articles'])
  const navigate = useNavigate()
  const [only, ...moreWebsites] = websites ?? []
  if (websites && moreWebsites.length > 0)
    return (
      <Menu position="bottom-end">
        <Menu.Target>
          <Button leftSection={<IconPlus size={16} aria-hidden />}>{t('articles:write')}</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Label>{t('articles:writeFor')}</Menu.Label>
          {websites.map(({ id, name, kind }) => (
            <Menu.Item key={id} leftSection={<ChannelIcon channel={kind} />} onClick={() => void navigate(newArticlePath(id))}>
              {name}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
    )
  const connects = websites !== undefined && !only
  return (
    <Button
      component={Link}
      to={connects ? connectWebsitePath : newArticlePath(only?.id)}
      leftSection={<IconPlus size={16} aria-hidden />}
    >
      {t(connects ? 'articles:connectSite' : 'articles:write')}
    </Button>
  )
}
