import type { ImageRatio } from '@/api/types.gen'

const RATIOS: Record<ImageRatio, [width: number, height: number]> = { square: [1, 1], portrait: [4, 5], landscape: [1.91, 1] }

/** Return the ratio of width to height in the format's language: `1:1`, `1.91:1`, `1,91:1`. */
export const ratioText = (format: { number: (value: number) => string }, ratio: ImageRatio) => RATIOS[ratio].map(format.number).join(':')

/** Return the ratio as CSS's `aspect-ratio` takes it. */
export const aspectRatio = (ratio: ImageRatio) => RATIOS[ratio].join(' / ')

const KNOWN_RATIOS = [[1, 1], [4, 5], [5, 4], [3, 4], [4, 3], [2, 3], [3, 2], [9, 16], [16, 9], [5, 12], [12, 5]] as const

const rounded = (value: number) => Math.round(value * 100) / 100

/** Return a ratio, rounded to two digits by the server, as two sides: 9 and 16 for 0.56, 1.91 and 1, 1 and 100. */
export function ratioSides(ratio: number): { width: number; height: number } {
  const known = KNOWN_RATIOS.find(([width, height]) => rounded(width / height) === ratio)
  if (known) return { width: known[0], height: known[1] }
  return ratio < 1 ? { width: 1, height: rounded(1 / Math.max(ratio, 0.01)) } : { width: ratio, height: 1 }
}
