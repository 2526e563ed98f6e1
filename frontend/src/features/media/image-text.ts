import type { TFunction } from 'i18next'
import type { MediaOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'

const KILOBYTE = 1024 // bytes
const MEGABYTE = 1024 * KILOBYTE

/** `418 KB`, `2.4 MB`. */
export function sizeText(t: TFunction<['common', 'media']>, format: Format, bytes: number): string {
  return bytes < MEGABYTE
    ? t('media:kilobytes', { size: format.number(Math.max(1, Math.round(bytes / KILOBYTE))) })
    : t('media:megabytes', { size: format.number(Math.round((bytes / MEGABYTE) * 10) / 10) })
}

/** `2400 × 1800`. */
export const dimensions = ({ width, height }: Pick<MediaOut, 'width' | 'height'>) => `${width} × ${height}`

/** What an image is called; those from before they had names by their kind. */
export const nameOf = (t: TFunction<['common', 'media']>, { name, source }: Pick<MediaOut, 'name' | 'source'>) =>
  name || t(`media:unnamed.${source}`)

const ENDINGS: Partial<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/gif': '.gif',
}

/** How a download is called: by the name, with the ending of what it really is. */
export function fileName(name: string, mime: string): string {
  const ending = ENDINGS[mime] ?? ''
  const bare = name.replace(/\.(jpe?g|png|webp|gif|hei[cf]|avif)$/i, '').replaceAll(/[\s/\\:*?"<>|]+/g, ' ')
  return `${bare.trim()}${ending}`
}

/** `JPEG`, from a media type. */
export const kindOf = (mime: string) => mime.split('/')[1]?.toUpperCase() ?? mime
