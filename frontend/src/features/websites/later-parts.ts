import { lazy, type ComponentProps } from 'react'
import { later } from '@/components/later'
import type { ChangeDialog as Change } from './change-dialog'
import type { ConnectDialog as Connect } from './connect-dialog'

/** Few websites have them. */
export const FeedAddresses = lazy(async () => ({ default: (await import('./feed-addresses')).FeedAddresses }))

export const ConnectDialog = later<ComponentProps<typeof Connect>>(
  async () => (await import('./connect-dialog')).ConnectDialog,
)
export const ChangeDialog = later<ComponentProps<typeof Change>>(
  async () => (await import('./change-dialog')).ChangeDialog,
)
