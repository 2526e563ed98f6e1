import { Button } from '@mantine/core'
import { Link } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { usePageTitle } from '@/components/page'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'

/** The callback of a network that this build does not know. */
export function NotKnown() {
  const { t } = useTranslation()
  usePageTitle(t('common.pageNotFound'))
  return (
    <EmptyState
      art="lost"
      level={1}
      title={t('common.pageNotFound')}
      text={t('common.pageNotFoundText')}
      actions={
        <Button component={Link} to={paths.account}>
          {t('accounts.back')}
        </Button>
      }
    />
  )
}
