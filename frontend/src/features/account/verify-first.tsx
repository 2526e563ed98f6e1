import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { RowSkeletons } from '@/components/skeletons'
import { paths } from '@/lib/paths'
import { meQuery } from './api'

/** What the server only gives to people whose e-mail is verified is not asked for before that. */
export function VerifyFirst({ children }: { children: ReactNode }) {
  const { t } = useTranslation()
  const me = useQuery(meQuery)
  if (me.isPending) return <RowSkeletons rows={2} />
  // where even that is not known, the page's own calls tell why
  if (me.data?.is_email_verified !== false) return children
  return (
    <EmptyState
      title={t('account.notVerifiedTitle')}
      text={t('account.notVerifiedText', { email: me.data.email })}
      actions={
        <Button component={Link} to={paths.emailVerification}>
          {t('account.toVerification')}
        </Button>
      }
    />
  )
}
