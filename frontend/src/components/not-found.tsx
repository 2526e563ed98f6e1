import { Button } from '@mantine/core'
import { Link, useLocation, useNavigate } from 'react-router'
import { useTranslation } from '@/i18n/translation'
import { EmptyState } from './empty-state'
import { usePageTitle } from './page'
import { paths } from '@/lib/paths'

export function NotFound() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { key } = useLocation()
  const first = key === 'default' && history.length <= 1 // the tab began here: there is nothing to go back to
  usePageTitle(t('common.pageNotFound'))
  return (
    <div className="pub-page">
      <EmptyState
        art="lost"
        level={1}
        title={t('common.pageNotFound')}
        text={t('common.pageNotFoundText')}
        actions={
          <>
            <Button variant="default" onClick={() => void (first ? navigate(paths.root) : navigate(-1))}>
              {t('common.goBack')}
            </Button>
            <Button component={Link} to={paths.root}>
              {t('common.goHome')}
            </Button>
          </>
        }
      />
    </div>
  )
}
