import type { ImageRatio } from '@/api/types.gen'

const RATIOS: Record<ImageRatio, [width: number, height: number]> = { square: [1, 1], portrait: [4, 5], landscape: [1.91, 1] }

/** Return the ratio of width to height in the format's language: `1:1`, `1.91:1`, `1,91:1`. */
export const ratioText = (format: { number: (value: number) => string }, ratio: ImageRatio) => RATIOS[ratio].map(format.number).join(':')

/** Return the ratio as CSS's `aspect-ratio` takes it. */
export const aspectRatio = (ratio: ImageRatio) => RATIOS[ratio].join(' / ')
