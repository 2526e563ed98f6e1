import { Checkbox } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LinkProps } from 'react-router'
import type { MediaOut } from '@/api/types.gen'
import { gridStep } from './grid-keys'
import { dimensions, kindOf, nameOf } from '@/features/media/image-text'
import { FileMark } from '@/features/media/file-mark'
import { Picture } from '@/features/media/picture'

/** The link to an image's details. */
export type ImageLink = Pick<LinkProps, 'to' | 'replace' | 'state'>

interface ImageGridProps {
  images: readonly MediaOut[]
  /** The id of the image whose details are shown. */
  openId: string
  selected: ReadonlySet<string>
  onSelect: (selected: ReadonlySet<string>) => void
  onDelete: (images: MediaOut[]) => void
  linkTo: (imageId: string) => ImageLink
  /** Shown before the images. */
  first: ReactNode
}

export const tileId = (imageId: string) => `image-${imageId}`

/** The grid of files, with a single tab stop: arrows move, Enter opens, Space selects, Delete deletes. */
export function ImageGrid({ images, openId, selected, onSelect, onDelete, linkTo, first }: ImageGridProps) {
  const { t } = useTranslation(['common', 'media'])
  const grid = useRef<HTMLUListElement>(null)
  const [chosen, setCurrent] = useState(0)
  const [anchor, setAnchor] = useState(0)
  const current = Math.min(chosen, images.length - 1)

  const focus = (index: number) => {
    const image = images[index]
    if (image) document.getElementById(tileId(image.id))?.focus()
  }
  useFocusAfterRemoval(images.length, () => focus(current))

  const toggle = (index: number, range: boolean) => {
    const next = new Set(selected)
    const [from, to] = range ? [Math.min(anchor, index), Math.max(anchor, index)] : [index, index]
    const on = !selected.has(images[index]?.id ?? '')
    for (const { id } of images.slice(from, to + 1)) {
      if (on) next.add(id)
      else next.delete(id)
    }
    setAnchor(index)
    onSelect(next)
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const target = event.target as HTMLElement
    const place = target.closest<HTMLElement>('[data-index]')?.dataset.index
    if (place === undefined) return
    const index = Number(place)
    const image = images[index]
    const step = gridStep(event.key, index, columnsOf(grid.current), images.length)
    const modified = event.ctrlKey || event.metaKey || event.altKey
    if (step !== null && !modified) focus(step)
    else if (event.key === ' ' && target.tagName === 'A') toggle(index, event.shiftKey)
    else if (event.key === 'Delete' && image)
      onDelete(selected.has(image.id) ? images.filter(({ id }) => selected.has(id)) : [image])
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey)) onSelect(new Set(images.map(({ id }) => id)))
    else return
    event.preventDefault()
  }

  return (
    <>
      <p className="vh" id="image-grid-keys">
        {t('media:gridKeys')}
      </p>
      <ul
        className="gallery"
        ref={grid}
        aria-label={t('media:title')}
        aria-describedby="image-grid-keys"
        data-selecting={selected.size > 0 || undefined}
        onKeyDown={onKeyDown}
      >
        <li>{first}</li>
        {images.map((image, index) => (
          <li
            key={image.id}
            className="photo"
            data-index={index}
            data-selected={selected.has(image.id) || undefined}
            onFocus={() => setCurrent(index)}
          >
            <Tile image={image} link={linkTo(image.id)} open={image.id === openId} reached={index === current} />
            <Checkbox
              className="photo-check"
              size="md"
              aria-label={t('media:select', { name: nameOf(t, image) })}
              tabIndex={index === current ? 0 : -1}
              checked={selected.has(image.id)}
              onChange={(event) => toggle(index, (event.nativeEvent as MouseEvent).shiftKey)}
            />
          </li>
        ))}
      </ul>
    </>
  )
}

interface TileProps {
  image: MediaOut
  link: ImageLink
  open: boolean
  reached: boolean
}

function Tile({ image, link, open, reached }: TileProps) {
  const { t } = useTranslation(['common', 'media'])
  return (
    <Link
      id={tileId(image.id)}
      {...link}
      aria-current={open || undefined}
      tabIndex={reached ? 0 : -1}
      draggable={false}
    >
      <span className="photo-picture">
        <Picture image={image} />
        <FileMark file={image} />
        {!image.alt && image.kind !== 'document' && (
          <span className="photo-flag">
            <IconAlertTriangle size={13} stroke={2} aria-hidden />
            {t('media:noAlt')}
          </span>
        )}
      </span>
      <span className="photo-text">
        <b className="clip">{nameOf(t, image)}</b>
        <small className="num clip">
          {image.carousel ? t('media:pageOf', image.carousel) : t(`media:sources.${image.source}`)}, {image.kind === 'document' ? kindOf(image.mime) : dimensions(image)}
        </small>
      </span>
    </Link>
  )
}

/** Return the current number of columns. */
function columnsOf(grid: HTMLElement | null): number {
  return grid ? getComputedStyle(grid).gridTemplateColumns.split(' ').length : 1
}

/** Move the focus of a removed image to the one in its place. */
function useFocusAfterRemoval(count: number, focus: () => void) {
  const before = useRef(count)
  useEffect(() => {
    if (count < before.current && document.activeElement === document.body) focus()
    before.current = count
  })
}
