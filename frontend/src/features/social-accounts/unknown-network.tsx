import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { usePageTitle } from '@/components/page'
import { paths } from '@/lib/paths'

/** The callback of a network that this build does not know. */
export function UnknownNetwork() {
  const { t } = useTranslation(['common', 'socialAccounts'])
  usePageTitle(t('pageNotFound'))
  return (
    <EmptyState
      art="lost"
      level={1}
      title={t('pageNotFound')}
      text={t('pageNotFoundText')}
      actions={
        <Button component={Link} to={paths.account}>
          {t('socialAccounts:back')}
        </Button>
      }
    />
  )
}
