import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { PageHeader } from '@/components/page'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'

const TITLES = {
  topics: 'navigation.topicTrees',
} as const

export type ComingPage = keyof typeof TITLES

/** A page that is not built yet says so, and what will be on it. */
export function ComingRoute({ page }: { page: ComingPage }) {
  const { t } = useTranslation()
  return (
    <div className="pub-page">
      <PageHeader title={t(TITLES[page])} />
      <EmptyState
        title={t('coming.notice')}
        text={t(`coming.${page}`)}
        actions={
          <Button component={Link} to={paths.root} variant="default">
            {t('common.goHome')}
          </Button>
        }
      />
    </div>
  )
}
