import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ComposedFileInSchema } from '@/api/schemas.gen'
import type { ChannelOut, FileOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { channelsQuery, imageQuery } from '@/features/posts/api'
import { fileTitle } from '@/lib/file-title'
import { useStableValue } from '@/lib/use-stable-value'
import { asFile } from './composer-values'
import type { ComposerForm } from './use-composer'
import type { EditedFile } from './use-files'

const MOST_FILES = 20

/** An image that was made for the post. */
export interface MadeImage {
  media_id: string
  alt: string
}

export interface ImagesProps {
  label: string
  /** The ids of the files in the library, in their order. */
  value: string[]
  most: number
  error: ReactNode
  /** The files of the saved post, which keeps those that are deleted from the library. */
  postImages: readonly FileOut[]
  onChange: (imageIds: string[]) => void
  /** Add one image from outside of the field. */
  onAdd: (imageId: string) => void
}

/** Return how many characters the title of a document may have at all networks that show documents. */
const longestTitle = (channels: readonly ChannelOut[] | undefined): number =>
  Math.min(ComposedFileInSchema.properties.title.maxLength, ...(channels ?? []).flatMap(({ limits }) => limits.document?.max_title ?? []))

/** Return the ids with those that only `before` has, each in front of the one that follows it there. */
function withMissing(ids: readonly string[], before: readonly string[]): string[] {
  return before.reduceRight<string[]>((all, id, index) => {
    if (all.includes(id)) return all
    const next = before[index + 1]
    return all.toSpliced(next === undefined ? all.length : all.indexOf(next), 0, id)
  }, [...ids])
}

/** Return functions that keep the places of removed files, and that offer to bring one back while the page is open. */
function useRemovals() {
  /** The ids of the files in their order, with the removed ones. */
  const order = useRef<string[]>([])
  const offers = useRef<(() => void)[]>([])
  useEffect(
    () => () => {
      // without the form nothing can be brought back
      for (const end of offers.current.splice(0)) end()
    },
    [],
  )
  const keepOrder = useCallback((ids: readonly string[]) => {
    order.current = withMissing(ids, order.current)
  }, [])
  const followersOf = useCallback((id: string) => order.current.slice(order.current.indexOf(id) + 1), [])
  const offerUndo = useCallback((offer: Parameters<typeof showUndo>[0]) => {
    offers.current.push(showUndo(offer))
  }, [])
  return { keepOrder, followersOf, offerUndo }
}

/** Return the field for the files of a post, whether it is full, and functions that add images made for the post. */
export function usePostImages(form: ComposerForm, saved: readonly FileOut[], field: (props: ImagesProps) => ReactNode) {
  const { t } = useTranslation(['common', 'posts'])
  const queryClient = useQueryClient()
  const { getValues, setFieldValue, clearFieldError } = form
  const files = useStableValue(form.values.files)
  const { keepOrder, followersOf, offerUndo } = useRemovals()

  /** Copy the alt text of the library, and make a title of a document's or a video's name, unless one was typed meanwhile. */
  const describe = useCallback(
    async (id: string) => {
      const media = await queryClient.ensureQueryData(imageQuery(id)).catch(() => undefined)
      if (!media) return
      const title = media.kind === 'image' ? '' : fileTitle(media.name, longestTitle(queryClient.getQueryData(channelsQuery.queryKey)))
      setFieldValue('files', (before) =>
        before.map((file) => (file.media_id === id ? { ...file, alt: file.alt || media.alt, title: file.title || title } : file)),
      )
    },
    [queryClient, setFieldValue],
  )
  /** Set the files in the given order. Each file keeps what is typed for it. */
  const choose = useCallback(
    (chosenOf: (before: string[]) => string[]) => {
      const before = getValues().files.map(({ media_id }) => media_id)
      setFieldValue('files', (files) => {
        const ids = new Set(chosenOf(files.map(({ media_id }) => media_id)))
        return [...ids].slice(0, MOST_FILES).map((id) => files.find(({ media_id }) => media_id === id) ?? asFile(id))
      })
      clearFieldError('files')
      for (const id of chosenOf(before)) if (!before.includes(id)) void describe(id)
    },
    [getValues, setFieldValue, clearFieldError, describe],
  )
  /** Set the files in the given order, with an undo that brings back a removed one with what was typed for it. */
  const change = useCallback(
    (ids: string[]) => {
      const before = getValues().files
      choose(() => ids)
      const removed = before.find(({ media_id }) => !ids.includes(media_id))
      if (!removed) return
      keepOrder(before.map(({ media_id }) => media_id))
      const undo = () => {
        const files = getValues().files
        if (files.some(({ media_id }) => media_id === removed.media_id))
          return setFieldValue('files', (now) => now.map((file) => (file.media_id === removed.media_id ? removed : file)))
        if (files.length >= MOST_FILES)
          return void notifications.show({ color: 'red', message: t('posts:composer.fileNotBack', { most: MOST_FILES }) })
        const next = followersOf(removed.media_id).find((id) => files.some(({ media_id }) => media_id === id))
        setFieldValue('files', (now) => now.toSpliced(next ? now.findIndex(({ media_id }) => media_id === next) : now.length, 0, removed))
      }
      offerUndo({ message: t('posts:composer.fileRemoved'), label: t('undo'), undo })
    },
    [t, getValues, setFieldValue, choose, keepOrder, followersOf, offerUndo],
  )
  /** Add images that were made for the post, with the alt texts that came with them. */
  const addMade = (made: readonly MadeImage[]) => {
    const before = getValues().files
    const added = made.filter(({ media_id }) => before.every((file) => file.media_id !== media_id)).slice(0, MOST_FILES - before.length)
    if (added.length === 0) return
    setFieldValue('files', [...before, ...added.map(({ media_id, alt }) => asFile(media_id, alt))])
    clearFieldError('files')
  }
  /** Put the pages of a carousel in place of those among the loaded `files`. A page that stays keeps its alt text. */
  const putPages = (pages: readonly MadeImage[], files: readonly EditedFile[]) => {
    const isOld = ({ media_id }: { media_id: string }) => files.some((file) => file.media_id === media_id && file.carousel !== null)
    const made = new Set(pages.map(({ media_id }) => media_id))
    setFieldValue('files', (before) => {
      const others = before.filter((file) => !isOld(file) && !made.has(file.media_id))
      const at = before.findIndex(isOld)
      const put = pages.map(({ media_id, alt }) => before.find((file) => file.media_id === media_id) ?? asFile(media_id, alt))
      return others.toSpliced(at === -1 ? others.length : at, 0, ...put).slice(0, MOST_FILES)
    })
    clearFieldError('files')
  }
  // typing in the text must not draw the images again
  const imageField = useMemo(
    () =>
      field({
        label: t('posts:composer.files'),
        value: files.map(({ media_id }) => media_id),
        most: MOST_FILES,
        error: form.errors.files,
        postImages: saved,
        onChange: change,
        onAdd: (id) => choose((imageIds) => [...imageIds, id]),
      }),
    [field, t, files, form.errors.files, saved, choose, change],
  )
  return { imageField, addMade, putPages, isFull: files.length >= MOST_FILES }
}
