import type { Counting } from '@/api/types.gen'

/** As the server counts a text for its network. What a network weighs, only the server counts: `FitOut` has it. */
export const textLength = (text: string, counting: Counting = 'larger'): number =>
  // UTF-16 units, of which a text never has fewer than characters
  counting === 'code_points' ? Array.from(text).length : text.length
