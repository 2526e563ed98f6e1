import type { TFunction } from 'i18next'
import type { MediaOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'

const KILOBYTE = 1024 // bytes
const MEGABYTE = 1024 * KILOBYTE

/** Return a size as text: `418 KB`, `2.4 MB`. */
export function sizeText(t: TFunction<['common', 'media']>, format: Format, bytes: number): string {
  return bytes < MEGABYTE
    ? t('media:kilobytes', { size: format.number(Math.max(1, Math.round(bytes / KILOBYTE))) })
    : t('media:megabytes', { size: format.number(Math.round((bytes / MEGABYTE) * 10) / 10) })
}

/** Return dimensions as text: `2400 × 1800`. */
export const dimensions = ({ width, height }: Pick<MediaOut, 'width' | 'height'>) => `${width} × ${height}`

/** Return a file's name; its kind for old files without a name. */
export const nameOf = (t: TFunction<['common', 'media']>, { name, source, kind }: Pick<MediaOut, 'name' | 'source' | 'kind'>) =>
  name || t(`media:unnamed.${kind === 'image' ? source : kind}`)

const ENDINGS: Partial<Record<string, string>> = {
  'image/jpeg': '.jpg',
  'image/png': '.png',
  'image/webp': '.webp',
  'image/gif': '.gif',
  'application/pdf': '.pdf',
  'video/mp4': '.mp4',
  'video/quicktime': '.mov',
}

/** Return the file name of a download: the file's name with the extension of its type. */
export function fileName(name: string, mime: string): string {
  const ending = ENDINGS[mime] ?? ''
  const bare = name.replace(/\.(jpe?g|png|webp|gif|hei[cf]|avif|pdf|mp4|m4v|mov)$/i, '').replaceAll(/[\s/\\:*?"<>|]+/g, ' ')
  return `${bare.trim()}${ending}`
}

/** Return the format's name of a media type, such as `JPEG`. */
export const kindOf = (mime: string) => (mime === 'video/quicktime' ? 'MOV' : (mime.split('/')[1]?.toUpperCase() ?? mime))
