import type { CarouselPlace, ChannelLimitsOut, MediaKind } from '@/api/types.gen'

/** What decides whether a network gets a file of a post. */
export interface SentFile {
  kind: MediaKind
  carousel: CarouselPlace | null
  /** Of a video: the image that is shown before it plays. */
  cover_url?: string | null
}

type FileLimits = Pick<ChannelLimitsOut, 'max_images' | 'document' | 'video'>

/**
 * Return the files of a post that a network gets, as the server decides it: its video or its document alone where it takes
 * one, else the images. Of a carousel's pages it gets as many as it shows, and a
 * video has its cover only where the network shows one. Without limits, that is all files.
 */
export function sentFiles<File extends SentFile>(files: readonly File[], limits: FileLimits | undefined): File[] {
  if (!limits) return [...files]
  const ofKind = (kind: MediaKind) => files.filter((file) => file.kind === kind)
  const [videos, documents, images] = [ofKind('video'), ofKind('document'), ofKind('image')]
  if (limits.video && videos.length > 0)
    return limits.video.shows_cover ? videos : videos.map((video) => ({ ...video, cover_url: null }))
  if (limits.document && documents.length > 0) return documents
  return isCarousel(images) ? images.slice(0, limits.max_images) : images
}

/** Return whether all images are pages of carousels: a network may show fewer of them. */
export const isCarousel = (images: readonly Pick<SentFile, 'carousel'>[]) =>
  images.length > 0 && images.every(({ carousel }) => carousel !== null)

/** Return the number of a carousel's pages if a network shows only the first of them. */
export function cutFrom(files: readonly SentFile[], sent: readonly SentFile[]): number | undefined {
  const images = files.filter(({ kind }) => kind === 'image')
  const shown = sent.filter(({ kind }) => kind === 'image')
  return shown.length > 0 && shown.length < images.length ? images.length : undefined
}

/** Return with how many images a post's link is sent. A document or a video leaves no room for a card. */
export function cardFiles(files: readonly SentFile[], limits: FileLimits & Pick<ChannelLimitsOut, 'card_images'>): number {
  const sent = sentFiles(files, limits)
  return sent.every(({ kind }) => kind === 'image') ? sent.length : limits.card_images + 1
}
