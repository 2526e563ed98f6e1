import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader } from '@/components/page'
import { InvitationList } from '@/features/users/invitations/invitation-list'
import { newInvitationPath } from '@/features/users/invitations/links'
import { useUrlFilters } from '@/lib/url-filters'

const NewInvitationDialog = lazyPart(async () => (await import('@/features/users/invitations/new-invitation-dialog')).NewInvitationDialog)

export function InvitationsRoute() {
  const { t } = useTranslation(['common', 'invitations'])
  const [search] = useSearchParams()
  const { change } = useUrlFilters()
  return (
    <>
      <PageHeader
        title={t('invitations:title')}
        sub={t('invitations:lead')}
        actions={
          <Button component={Link} to={newInvitationPath} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('invitations:create')}
          </Button>
        }
      />
      <InvitationList />
      <NewInvitationDialog opened={search.has('new')} onClose={() => change({ new: null })} />
    </>
  )
}
