import { Menu } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { WebsiteOut } from '@/api/types.gen'
import { ChannelIcon } from '@/components/channel'
import type { MenuProps } from '@/components/lazy-menu'
import { useOpeningMenu } from '@/components/use-opening-menu'
import { newArticlePath } from '@/lib/article-paths'

interface ArticleSitesProps extends MenuProps {
  websites: readonly Pick<WebsiteOut, 'id' | 'name' | 'kind'>[]
}

/** The menu of the websites for which a new article can be written. */
export function ArticleSites({ websites, button }: ArticleSitesProps) {
  const { t } = useTranslation(['common', 'articles'])
  const navigate = useNavigate()
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end">
      <Menu.Target>{button({ ref: target })}</Menu.Target>
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
}
