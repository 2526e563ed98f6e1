import { Button, Drawer, UnstyledButton } from '@mantine/core'
import { IconCheck, IconUpload } from '@tabler/icons-react'
import { useQueries } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaKind, MediaOrigin, MediaOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { SearchField } from '@/components/search-field'
import { imageQuery, useImages } from '@/features/media/api'
import { FileMark } from '@/features/media/file-mark'
import { IMAGES_ONLY } from '@/features/media/file-kinds'
import { hidden, type Filters } from '@/features/media/gallery/filters'
import { GridSkeletons } from '@/features/media/gallery/grid-skeletons'
import { HiddenOnes } from '@/features/media/gallery/hidden-ones'
import { nameOf } from '@/features/media/image-text'
import '@/features/media/media.css'
import { Limits } from '@/features/media/uploads/limits'
import { PickFiles } from '@/features/media/uploads/pick-files'
import { Picture } from '@/features/media/picture'
import { UploadList } from '@/features/media/uploads/upload-list'
import { isOpen, type Upload, type UploadQueue } from '@/features/media/uploads/upload-queue'
import { useUploads } from '@/features/media/uploads/use-uploads'

const NONE: readonly string[] = []

interface ImagePickerProps {
  opened: boolean
  title: string
  /** For a choice of several: the chosen ids. A second click removes one. */
  chosen?: readonly string[]
  /** The kinds of file that are offered; images only by default. */
  kinds?: readonly MediaKind[]
  onClose: () => void
  onPick: (image: MediaOut) => void
}

/** The drawer that picks one or several files of the library, or uploads them. Uploads go on when it is closed. */
export function ImagePicker({ opened, title, chosen, kinds = IMAGES_ONLY, onClose, onPick }: ImagePickerProps) {
  const { t } = useTranslation(['common', 'media'])
  const { queue, uploads } = useUploads(kinds)
  const pickByHand = usePickedUploads(uploads, chosen, onPick)
  return (
    <>
      <Drawer opened={opened} onClose={onClose} position="right" size={480} title={title}>
        {opened && <Choice chosen={chosen} kinds={kinds} queue={queue} uploads={uploads} onPick={pickByHand} />}
        {chosen && (
          <div className="picker-foot">
            <span role="status">{t(kinds.length > 1 ? 'media:own.chosenFiles' : 'media:own.chosen', { count: chosen.length })}</span>
            <Button onClick={onClose}>{t('media:own.done')}</Button>
          </div>
        )}
      </Drawer>
      {!opened && uploads.some((upload) => isOpen(upload) || upload.state === 'failed' || hasNote(upload)) && (
        <div className="picker-uploads">
          <UploadList uploads={uploads} queue={queue} />
        </div>
      )}
    </>
  )
}

/** Pick what was uploaded. Return `onPick` for what a person picks. */
function usePickedUploads(uploads: readonly Upload[], chosen: readonly string[] | undefined, onPick: ImagePickerProps['onPick']) {
  const handledIds = useRef(new Set<number>())
  const pick = useEffectEvent(onPick)
  useEffect(() => {
    const handled = handledIds.current
    const open = uploads.filter(({ id, state }) => !handled.has(id) && state !== 'failed' && state !== 'cancelled')
    // of a choice of one, a single upload is picked, unless it has a note to read; of several, one after the other
    const [only, ...others] = open
    const next = chosen
      ? open.find(({ image }) => image && !chosen.includes(image.id))
      : others.length === 0 && only && !hasNote(only) ? only : undefined
    if (!next?.image) return
    handled.add(next.id)
    pick(next.image)
  }, [uploads, chosen])
  return (image: MediaOut) => {
    // an upload that is still running does not replace it
    if (!chosen) for (const { id } of uploads) handledIds.current.add(id)
    onPick(image)
  }
}

const hasNote = ({ image }: Upload) => Boolean(image?.first_frame_only || image?.page_sizes_differ)

interface ChoiceProps extends Pick<ImagePickerProps, 'chosen' | 'onPick'> {
  kinds: readonly MediaKind[]
  queue: UploadQueue
  uploads: readonly Upload[]
}

function Choice({ chosen, kinds, queue, uploads, onPick }: ChoiceProps) {
  const { t } = useTranslation(['common', 'media'])
  const [search, setSearch] = useState('')
  const [origin, setOrigin] = useState<MediaOrigin | null>('own')
  const [onlyKind = null] = kinds.length === 1 ? kinds : []
  const filters: Filters = { search, origin, kind: onlyKind, tag: null, sort: 'newest' }
  const images = useImages(filters)
  const loadedImages = images.data?.pages.flatMap((page) => page.items) ?? []
  // the images chosen on opening come first, whatever the filters, and stay when they are deselected
  const [before] = useState<readonly string[]>(chosen ?? NONE)
  const chosenImages = useQueries({ queries: before.map(imageQuery) }).flatMap(({ data }) => data ?? [])
  const rows = search || !images.data ? loadedImages : [...chosenImages, ...loadedImages.filter(({ id }) => !chosenImages.some((candidate) => candidate.id === id))]
  const counts = images.data?.pages.at(-1)?.origins
  const byAssistants = counts ? hidden(filters, counts) : 0

  // what ended before was seen
  useEffect(() => queue.clear(), [queue])
  return (
    <div className="stack">
      <div className="picker-head">
        <SearchField label={t('media:search')} value={search} onSearch={setSearch} />
        <PickFiles kinds={kinds} onFiles={(files) => queue.add(files)} multiple={chosen !== undefined}>
          {(open) => (
            <Button variant="default" leftSection={<IconUpload size={15} aria-hidden />} onClick={open}>
              {t('media:uploadAction')}
            </Button>
          )}
        </PickFiles>
      </div>
      <p className="fine-print">
        <Limits kinds={kinds} />
      </p>
      <UploadList uploads={uploads} queue={queue} />
      {byAssistants > 0 && <HiddenOnes count={byAssistants} onShow={() => setOrigin(null)} />}
      {images.isPending && <GridSkeletons />}
      {images.isError && !images.data && (
        <Failure title={t('media:listFailed')} problem={images.error} onRetry={() => void images.refetch()} />
      )}
      {images.data && rows.length === 0 && (
        <p className="mid">{search ? t('media:noMatch', { search }) : t(onlyKind ? 'media:pickerEmpty' : 'media:pickerEmptyAll')}</p>
      )}
      {rows.length > 0 && (
        <>
          <ul className="picker">
            {rows.map((image) => (
              <li key={image.id}>
                <UnstyledButton
                  className="picker-tile"
                  aria-pressed={chosen?.includes(image.id)}
                  onClick={() => onPick(image)}
                >
                  <span className="photo-picture">
                    <Picture image={image} decorative />
                    <FileMark file={image} />
                    {chosen?.includes(image.id) && (
                      <i className="picker-tick">
                        <IconCheck size={14} stroke={3} aria-hidden />
                      </i>
                    )}
                  </span>
                  <span className="clip">{nameOf(t, image)}</span>
                </UnstyledButton>
              </li>
            ))}
          </ul>
          <ListFoot
            hasMore={images.hasNextPage}
            loading={images.isFetchingNextPage}
            onMore={() => void images.fetchNextPage()}
          >
            {t(onlyKind ? 'media:count' : 'media:countFiles', { count: (images.data?.pages.at(-1)?.total ?? 0) + rows.length - loadedImages.length })}
          </ListFoot>
        </>
      )}
    </div>
  )
}
