import type { Counting } from '@/api/types.gen'

/** Return a text's length as the server counts it for its network. Only the server counts weighted texts (`FitOut`). */
export const textLength = (text: string, counting: Counting = 'larger'): number =>
  // UTF-16 units, never fewer than code points
  counting === 'code_points' ? Array.from(text).length : text.length
