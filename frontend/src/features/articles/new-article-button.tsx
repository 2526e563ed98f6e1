import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { WebsiteOut } from '@/api/types.gen'
import { lazyMenu } from '@/components/lazy-menu'
import { connectWebsitePath, newArticlePath } from '@/lib/article-paths'

const ArticleSites = lazyMenu(async () => (await import('./article-sites')).ArticleSites)

/** A link to a new article for the only website or a chosen one, or to connecting the first website. */
export function NewArticleButton({ websites }: { websites: readonly Pick<WebsiteOut, 'id' | 'name' | 'kind'>[] | undefined }) {
  const { t } = useTranslation(['common', 'articles'])
  const [only, ...moreWebsites] = websites ?? []
  if (websites && moreWebsites.length > 0)
    return (
      <ArticleSites
        websites={websites}
        button={(props) => (
          <Button leftSection={<IconPlus size={16} aria-hidden />} {...props}>
            {t('articles:write')}
          </Button>
        )}
      />
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
