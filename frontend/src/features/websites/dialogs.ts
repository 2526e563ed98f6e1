import { lazyPart } from '@/components/lazy-part'

export const ConnectDialog = lazyPart(async () => (await import('./connect-dialog')).ConnectDialog)
export const ChangeDialog = lazyPart(async () => (await import('./change-dialog')).ChangeDialog)
