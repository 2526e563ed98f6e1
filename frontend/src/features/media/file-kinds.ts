import { MediaKind } from '@/api/types.gen'

export const EVERY_KIND: readonly MediaKind[] = Object.values(MediaKind)
export const IMAGES_ONLY: readonly MediaKind[] = [MediaKind.IMAGE]

/** What a file dialog offers; the server checks the files' contents, not their names. */
const ACCEPTED: Record<MediaKind, string> = {
  image: 'image/jpeg,image/png,image/webp,image/gif,image/heic,image/heif,image/avif,.heic,.heif,.avif',
  document: 'application/pdf,.pdf',
  video: 'video/mp4,video/quicktime,.mp4,.m4v,.mov',
}

export const accepted = (kinds: readonly MediaKind[]): string => kinds.map((kind) => ACCEPTED[kind]).join(',')

/** The server's limits of a file's size, in the unit in which it names them. */
export const LARGEST: Record<MediaKind, number> = { image: 20, document: 100, video: 1000 } // MB

const MEGABYTE: Record<MediaKind, number> = { image: 1024 ** 2, document: 1_000_000, video: 1_000_000 } // bytes

export const largestBytes = (kind: MediaKind): number => LARGEST[kind] * MEGABYTE[kind]

/** Return the kind that a file on this machine seems to have; what is neither document nor video counts as an image. */
export function kindOfFile({ type, name }: Pick<File, 'type' | 'name'>): MediaKind {
  if (type === 'application/pdf' || /\.pdf$/i.test(name)) return 'document'
  return type.startsWith('video/') || /\.(mp4|m4v|mov|webm|avi|mkv)$/i.test(name) ? 'video' : 'image'
}
