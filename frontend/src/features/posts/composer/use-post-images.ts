import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileOut } from '@/api/types.gen'
import { imageQuery } from '@/features/posts/api'
import { useStableValue } from '@/lib/use-stable-value'
import type { ComposerForm } from './use-composer'

const MOST_IMAGES = 20

/** An image that was made for the post. */
export interface MadeImage {
  media_id: string
  alt: string
}

export interface ImagesProps {
  label: string
  /** The ids of the images in the library, in their order. */
  value: string[]
  most: number
  error: ReactNode
  /** The images of the saved post, which keeps those that are deleted from the library. */
  postImages: readonly FileOut[]
  onChange: (imageIds: string[]) => void
  /** Add one image from outside of the field. */
  onAdd: (imageId: string) => void
}

/** Return the field for the images of a post, whether it is full, and a function that adds an image made for the post. */
export function usePostImages(form: ComposerForm, saved: readonly FileOut[], field: (props: ImagesProps) => ReactNode) {
  const { t } = useTranslation(['common', 'posts'])
  const queryClient = useQueryClient()
  const { getValues, setFieldValue, clearFieldError } = form
  const files = useStableValue(form.values.files)

  /** Copy the alt text of the library, unless one was typed meanwhile. */
  const describe = useCallback(
    async (id: string) => {
      const image = await queryClient.ensureQueryData(imageQuery(id)).catch(() => undefined)
      if (!image?.alt) return
      setFieldValue('files', (before) => before.map((file) => (file.media_id === id && file.alt === '' ? { ...file, alt: image.alt } : file)))
    },
    [queryClient, setFieldValue],
  )
  /** Set the images in the given order. Each image keeps the alt text that it has. */
  const choose = useCallback(
    (chosenOf: (before: string[]) => string[]) => {
      const before = getValues().files.map(({ media_id }) => media_id)
      setFieldValue('files', (files) => {
        const ids = new Set(chosenOf(files.map(({ media_id }) => media_id)))
        return [...ids].slice(0, MOST_IMAGES).map((id) => files.find(({ media_id }) => media_id === id) ?? { media_id: id, alt: '' })
      })
      clearFieldError('files')
      for (const id of chosenOf(before)) if (!before.includes(id)) void describe(id)
    },
    [getValues, setFieldValue, clearFieldError, describe],
  )
  /** Add images that were made for the post, with the alt texts that came with them. */
  const addMade = (made: readonly MadeImage[]) => {
    const before = getValues().files
    const added = made.filter(({ media_id }) => before.every((file) => file.media_id !== media_id)).slice(0, MOST_IMAGES - before.length)
    if (added.length === 0) return
    setFieldValue('files', [...before, ...added])
    clearFieldError('files')
  }
  // typing in the text must not draw the images again
  const imageField = useMemo(
    () =>
      field({
        label: t('posts:composer.images'),
        value: files.map(({ media_id }) => media_id),
        most: MOST_IMAGES,
        error: form.errors.files,
        postImages: saved,
        onChange: (ids) => choose(() => ids),
        onAdd: (id) => choose((imageIds) => [...imageIds, id]),
      }),
    [field, t, files, form.errors.files, saved, choose],
  )
  return { imageField, addMade, isFull: files.length >= MOST_IMAGES }
}
