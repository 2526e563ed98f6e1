import { lazy, type ComponentProps } from 'react'
import { later } from '@/components/later'
import type { ConnectDialog as Dialog } from './connect-dialog'

/** Few networks have a form, and few consents lead to several accounts: nobody else loads what they are drawn with. */
export const ConnectDialog = later<ComponentProps<typeof Dialog>>(
  async () => (await import('./connect-dialog')).ConnectDialog,
)
export const CheckAccount = lazy(async () => ({ default: (await import('./check-dialog')).CheckAccount }))
export const AccountChoice = lazy(async () => ({ default: (await import('./account-choice')).AccountChoice }))
