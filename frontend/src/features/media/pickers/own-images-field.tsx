import { ActionIcon, Button, Input } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconArrowLeft, IconArrowRight, IconPhotoOff, IconPlus, IconX } from '@tabler/icons-react'
import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaDetail, MediaKind } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { imageQuery } from '@/features/media/api'
import { FileMark } from '@/features/media/file-mark'
import { IMAGES_ONLY } from '@/features/media/file-kinds'
import { makeDraggable } from './image-drag'
import { moved } from './image-order'
import { nameOf } from '@/features/media/image-text'
import '@/features/media/media.css'
import { Picture } from '@/features/media/picture'

const ImagePicker = lazyPart(
  async () => (await import('./image-picker')).ImagePicker,
)

interface OwnImagesFieldProps {
  label: string
  /** Ids of files of the library, in order. */
  value: string[]
  /** The kinds of file that are offered; images only by default. */
  kinds?: readonly MediaKind[]
  /** The files of the saved post, which keeps those that are deleted from the library. */
  postImages?: readonly { media_id: string; thumbnail_url: string }[]
  most: number
  error?: ReactNode
  onChange: (imageIds: string[]) => void
}

/** Files of the library in an order that is changed by dragging or by keyboard. */
export function OwnImagesField({ label, value, kinds = IMAGES_ONLY, most, error, postImages, onChange }: OwnImagesFieldProps) {
  const { t } = useTranslation(['common', 'media'])
  const labelId = useId()
  const hintId = useId()
  const [picking, { open, close }] = useDisclosure()
  const [announcement, setAnnouncement] = useState('')
  const list = useRef<HTMLUListElement>(null)
  const add = useRef<HTMLButtonElement>(null)
  const images = useQueries({ queries: value.map(imageQuery) })
  const removed = images.filter(isDeleted).length
  const silent = images.filter(({ data }) => data?.kind === 'image' && data.alt === '').length
  const isMixed = kinds.length > 1

  const move = (from: number, to: number) => {
    if (to < 0 || to >= value.length || to === from) return
    onChange(moved(value, from, to))
    setAnnouncement(t('media:own.moved', { place: to + 1, count: value.length }))
  }
  const remove = (at: number) => {
    onChange(value.filter((_, index) => index !== at))
    setAnnouncement(t(isMixed ? 'media:own.takenFiles' : 'media:own.taken', { count: value.length - 1 }))
    // the image that follows the removed one; without any, the button that adds some
    requestAnimationFrame(() => {
      const tiles = list.current?.querySelectorAll<HTMLElement>('[data-remove]')
      const next = tiles?.[Math.min(at, tiles.length - 1)]
      ;(next ?? add.current)?.focus()
    })
  }
  return (
    <div className="own" role="group" aria-labelledby={labelId} aria-describedby={hintId}>
      <div className="field-label" id={labelId}>
        {label}
      </div>
      <p className="field-note own-hint" id={hintId}>
        {t(value.length > 1 ? (isMixed ? 'media:own.hintFiles' : 'media:own.hint') : postImages ? 'media:own.hintPost' : 'media:own.hintFew')}
      </p>
      {value.length > 0 && (
        <ul className="own-list" ref={list}>
          {value.map((id, index) => (
            <Tile
              key={id}
              id={id}
              index={index}
              count={value.length}
              image={images[index]}
              postImageUrl={postImages?.find(({ media_id }) => media_id === id)?.thumbnail_url}
              onMove={(to) => move(index, to)}
              onDropped={move}
              onRemove={() => remove(index)}
            />
          ))}
        </ul>
      )}
      <Button
        ref={add}
        variant="default"
        size="sm"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={value.length >= most}
        onClick={open}
      >
        {t(isMixed ? 'media:own.addFiles' : 'media:own.add')}
      </Button>
      {value.length >= most && <p className="field-note">{t(isMixed ? 'media:own.mostFiles' : 'media:own.most', { count: most })}</p>}
      {removed > 0 && <p className="field-note">{t(postImages ? 'media:own.keptOnly' : 'media:own.removed', { count: removed })}</p>}
      {silent > 0 && <p className="field-note">{t('media:own.silent', { count: silent })}</p>}
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
      <span className="vh" role="status">
        {announcement}
      </span>
      <ImagePicker
        opened={picking}
        title={label}
        chosen={value}
        kinds={kinds}
        onClose={close}
        onPick={({ id }) => {
          if (value.includes(id)) onChange(value.filter((otherId) => otherId !== id))
          else if (value.length < most) onChange([...value, id])
        }}
      />
    </div>
  )
}

const isDeleted = ({ error }: Pick<UseQueryResult<MediaDetail>, 'error'>) =>
  (error as { code?: string } | null)?.code === 'not_found'

interface TileProps {
  id: string
  index: number
  count: number
  image: UseQueryResult<MediaDetail> | undefined
  postImageUrl: string | undefined
  onMove: (to: number) => void
  onDropped: (from: number, to: number) => void
  onRemove: () => void
}

function Tile({ id, index, count, image, postImageUrl, onMove, onDropped, onRemove }: TileProps) {
  const { t } = useTranslation(['common', 'media'])
  const tile = useRef<HTMLLIElement>(null)
  const [edge, setEdge] = useState<string | null>(null)
  const dropped = useEffectEvent(onDropped)
  const shown = image?.data
  const isRemoved = image ? isDeleted(image) : false
  const name = shown ? nameOf(t, shown) : isRemoved ? t('media:own.gone') : t('media:own.loading')
  useEffect(() => {
    const element = tile.current
    if (element) return makeDraggable({ element, index, onEdge: setEdge, onDropped: (from, to) => dropped(from, to) })
  }, [index])
  return (
    <li className="own-tile" ref={tile} data-gone={isRemoved || undefined} data-edge={edge ?? undefined} data-image={id}>
      <span className="photo-picture">
        {shown ? <Picture image={shown} decorative /> : isRemoved && postImageUrl ? <img src={postImageUrl} alt="" /> : isRemoved && <IconPhotoOff size={20} stroke={1.6} aria-hidden />}
        {shown && <FileMark file={shown} />}
        <i className="own-number" aria-hidden>
          {index + 1}
        </i>
      </span>
      <span className="clip own-name">{name}</span>
      <span className="own-actions">
        <ActionIcon
          variant="subtle"
          aria-label={t('media:own.earlier', { name })}
          disabled={index === 0}
          onClick={() => onMove(index - 1)}
        >
          <IconArrowLeft size={15} aria-hidden />
        </ActionIcon>
        <ActionIcon
          variant="subtle"
          aria-label={t('media:own.later', { name })}
          disabled={index === count - 1}
          onClick={() => onMove(index + 1)}
        >
          <IconArrowRight size={15} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" data-remove aria-label={t('media:own.remove', { name })} onClick={onRemove}>
          <IconX size={15} aria-hidden />
        </ActionIcon>
      </span>
    </li>
  )
}
