import { Loader } from '@mantine/core'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'

export const ConnectDialog = lazyPart(async () => (await import('./connect-dialog')).ConnectDialog)
export const CheckAccount = lazyPart(async () => (await import('./check-dialog')).CheckAccount, <RowSkeletons rows={3} />)
export const AccountChoice = lazyPart(async () => (await import('./account-choice')).AccountChoice, <Loader size={18} />)
