import type { ChannelLimitsOut, FileOut } from '@/api/types.gen'

/** What decides whether a network gets a file of a post. */
export type SentFile = Pick<FileOut, 'kind' | 'carousel'>

type FileLimits = Pick<ChannelLimitsOut, 'max_images' | 'document' | 'video'>

/**
 * Return the files of a post that a network gets, as the server decides it: its video or its document alone where the
 * network takes one, else the images. Of a carousel's pages it gets as many as it shows.
 */
export function sentFiles<File extends SentFile>(files: readonly File[], limits: FileLimits | undefined): readonly File[] {
  if (!limits) return files
  const ofKind = (kind: File['kind']) => files.filter((file) => file.kind === kind)
  const videos = limits.video ? ofKind('video') : []
  if (videos.length > 0) return videos
  const documents = limits.document ? ofKind('document') : []
  if (documents.length > 0) return documents
  const images = ofKind('image')
  return images.every(({ carousel }) => carousel) ? images.slice(0, limits.max_images) : images
}

/** Return with how many images a post's link is sent. A document or a video leaves no room for a card. */
export function cardFiles(files: readonly SentFile[], limits: FileLimits & Pick<ChannelLimitsOut, 'card_images'>): number {
  const sent = sentFiles(files, limits)
  return sent.every(({ kind }) => kind === 'image') ? sent.length : limits.card_images + 1
}
