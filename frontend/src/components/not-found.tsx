import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate } from 'react-router'
import { EmptyState } from './empty-state'
import { usePageTitle } from './page'
import { paths } from '@/lib/paths'

export function NotFound() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { key } = useLocation()
  const first = key === 'default' && history.length <= 1 // first page of the tab: no history to go back to
  usePageTitle(t('pageNotFound'))
  return (
    <div className="pub-page">
      <EmptyState
        art="lost"
        level={1}
        title={t('pageNotFound')}
        text={t('pageNotFoundText')}
        actions={
          <>
            <Button variant="default" onClick={() => void (first ? navigate(paths.root) : navigate(-1))}>
              {t('goBack')}
            </Button>
            <Button component={Link} to={paths.root}>
              {t('goHome')}
            </Button>
          </>
        }
      />
    </div>
  )
}
