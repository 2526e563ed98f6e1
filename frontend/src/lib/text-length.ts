import type { ChannelLimitsOut, Counting } from '@/api/types.gen'
import { namedMentions } from './mentions'

/** Return a text's length as the server counts it for its network. Only the server counts weighted texts (`FitOut`). */
export const textLength = (text: string, counting: Counting = 'larger'): number =>
  // UTF-16 units, never fewer than code points
  counting === 'code_points' ? Array.from(text).length : text.length

/** Return the length of the text that is sent, as its network counts it. */
export const sentLength = (sent: string, limits: Pick<ChannelLimitsOut, 'counting' | 'urn_mentions'> | undefined): number =>
  textLength(limits?.urn_mentions ? sent : namedMentions(sent), limits?.counting)
