import { Button } from '@mantine/core'
import { EmptyState } from '@/components/empty-state'
import { PageHeader } from '@/components/page'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'
import { Link } from '@/lib/router/components'

/** The topics of a website are not built yet: their page says so, and what will be on it. */
export function ComingRoute() {
  const { t } = useTranslation()
  return (
    <div className="pub-page">
      <PageHeader title={t('navigation.topicTrees')} />
      <EmptyState
        title={t('coming.notice')}
        text={t('coming.topics')}
        actions={
          <Button component={Link} to={paths.root} variant="default">
            {t('common.goHome')}
          </Button>
        }
      />
    </div>
  )
}
