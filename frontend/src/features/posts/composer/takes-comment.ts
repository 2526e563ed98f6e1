import type { ChannelOut } from '@/api/types.gen'

/** Whether a first comment can be put below a post there. */
export const takesComment = (channels: readonly ChannelOut[] | undefined, channel: string): boolean =>
  channels?.some(({ kind, limits }) => kind === channel && limits.max_first_comment > 0) ?? false
