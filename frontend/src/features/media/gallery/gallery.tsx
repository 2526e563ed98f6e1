import { Button, Select, UnstyledButton } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCamera, IconCards, IconPhotoPlus, IconUpload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation, useNavigate, useSearchParams } from 'react-router'
import type { KindCounts, MediaCounts, MediaOut } from '@/api/types.gen'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { FilterChip } from '@/components/filter-chip'
import { ListFoot } from '@/components/list-foot'
import { NoMatch } from '@/components/no-match'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { SearchField } from '@/components/search-field'
import { TagFilter } from '@/components/tag-filter'
import { useUrlFilters } from '@/lib/url-filters'
import { imageTagsQuery, useImages } from '@/features/media/api'
import { EVERY_KIND } from '@/features/media/file-kinds'
import { DropAnywhere } from '@/features/media/uploads/drop-anywhere'
import { hidden, KINDS, narrows, originParameter, ORIGINS, readFilters, sortParameter, SORTS, type Filters } from './filters'
import { GridSkeletons } from './grid-skeletons'
import { HiddenOnes } from './hidden-ones'
import { ImageGrid, tileId, type ImageLink } from './image-grid'
import { SelectionBar } from './selection-bar'
import { designerPath } from '@/features/media/links'
import { Limits } from '@/features/media/uploads/limits'
import { PickFiles } from '@/features/media/uploads/pick-files'
import { UploadList } from '@/features/media/uploads/upload-list'
import { useDelete, useRefusalNotice } from './use-delete'
import type { Uploads } from '@/features/media/uploads/use-uploads'

const ImagePanel = lazyPart(async () => (await import('./image-panel')).ImagePanel)

const ROOM_BESIDE = '(min-width: 75em)'

export function Gallery({ uploads: { queue, uploads } }: { uploads: Uploads }) {
  const { t } = useTranslation(['common', 'media'])
  const add = (files: File[]) => queue.add(files)
  return (
    <div className="page-wide">
      <PageHeader
        title={t('media:title')}
        sub={t('media:lead')}
        actions={
          <>
            <Button
              component={Link}
              to={designerPath()}
              variant="default"
              leftSection={<IconCards size={15} aria-hidden />}
            >
              {t('media:designCard')}
            </Button>
            <PickFiles kinds={EVERY_KIND} onFiles={add}>
              {(open) => (
                <Button leftSection={<IconUpload size={15} aria-hidden />} onClick={open}>
                  {t('media:uploadAction')}
                </Button>
              )}
            </PickFiles>
          </>
        }
      />
      <DropAnywhere kinds={EVERY_KIND} onFiles={add} />
      <Images
        onFiles={add}
        uploadList={(linkTo) => <UploadList uploads={uploads} queue={queue} linkTo={linkTo} />}
      />
    </div>
  )
}

interface ImagesProps {
  onFiles: (files: File[]) => void
  uploadList: (linkTo: (imageId: string) => ImageLink) => ReactNode
}

function Images({ onFiles, uploadList }: ImagesProps) {
  const { t } = useTranslation(['common', 'media'])
  const { filter, change } = useUrlFilters()
  const filters = readFilters(filter)
  const images = useImages(filters)
  const isWide = useMediaQuery(ROOM_BESIDE) ?? false
  const { openId, linkTo, byHand, close } = useOpenImage()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const remove = useDelete()
  const showRefusals = useRefusalNotice()

  const panel = <ImagePanel imageId={openId} isWide={isWide} takesFocus={byHand} onClose={close} />
  if (images.isPending) return <GridSkeletons />
  if (images.isError && !images.data)
    return (
      <>
        {uploadList(linkTo)}
        <Failure title={t('media:listFailed')} problem={images.error} onRetry={() => void images.refetch()} />
      </>
    )
  const rows = images.data.pages.flatMap((page) => page.items)
  const newest = images.data.pages.at(-1)
  const total = newest?.total ?? 0
  // actions apply to visible images only
  const chosen = rows.filter(({ id }) => selected.has(id))
  const deleteThem = async (them: readonly MediaOut[]) => {
    const outcome = await remove.run(them)
    if (!outcome) return
    showRefusals('media:deleteFailed', outcome)
    if (outcome.done.some(({ id }) => id === openId)) close()
    const deletedIds = new Set(outcome.done.map(({ id }) => id))
    const refusedIds = outcome.refused.map(({ image }) => image.id)
    setSelected((before) => new Set([...before, ...refusedIds].filter((id) => !deletedIds.has(id))))
  }
  const empty = rows.length === 0
  const byAssistants = newest ? hidden(filters, newest.origins) : 0
  return (
    <div className={openId && isWide ? 'media-split' : undefined}>
      <div>
        {uploadList(linkTo)}
        {chosen.length > 0 ? (
          <SelectionBar
            images={chosen}
            deleting={remove.pending}
            onDelete={() => void deleteThem(chosen)}
            onClear={() => setSelected(new Set())}
          />
        ) : (
          newest &&
          !(empty && !narrows(filters) && byAssistants === 0) && (
            <Toolbar filters={filters} counts={newest.origins} kinds={newest.kinds} onChange={change} />
          )
        )}
        {byAssistants > 0 && (
          <HiddenOnes count={byAssistants} onShow={() => change({ origin: originParameter(null) })} />
        )}
        {empty && narrows(filters) && (
          <NoMatch
            text={filters.search ? t('media:noMatch', { search: filters.search }) : t('media:noMatchFilter')}
            onClear={() => change({ search: null, origin: null, kind: null, tag: null })}
          />
        )}
        {empty && !narrows(filters) && <NoImages onFiles={onFiles} />}
        {!empty && (
          <ImageGrid
            images={rows}
            openId={openId}
            selected={selected}
            onSelect={setSelected}
            onDelete={(them) => void deleteThem(them)}
            linkTo={linkTo}
            first={<AddTile onFiles={onFiles} />}
          />
        )}
        {(!empty || narrows(filters)) && (
          <ListFoot
            hasMore={images.hasNextPage}
            loading={images.isFetchingNextPage}
            onMore={() => void images.fetchNextPage()}
          >
            {t('media:countFiles', { count: total })}
          </ListFoot>
        )}
      </div>
      {panel}
    </div>
  )
}

interface Arrival {
  /** Whether the user opened it, so that it gets the focus. */
  byHand: boolean
  /** Whether the previous history entry is the grid without details, so that closing goes back. */
  overGrid: boolean
}

/** Return which image is open, by a URL parameter, and what opens and closes it. */
function useOpenImage() {
  const [params] = useSearchParams()
  const location = useLocation()
  const arrival = location.state as Arrival | null
  const leaving = useRef<string>(null)
  const { change } = useUrlFilters()
  const navigate = useNavigate()
  const openId = params.get('image') ?? ''
  const linkTo = (imageId: string): ImageLink => {
    const next = new URLSearchParams(params)
    next.set('image', imageId)
    const state: Arrival = { byHand: true, overGrid: openId === '' || arrival?.overGrid === true }
    return { to: { search: next.toString() }, replace: openId !== '', state }
  }
  const close = () => {
    // going back takes a moment: a second click, or a key held down, must not go further
    if (leaving.current === location.key) return
    leaving.current = location.key
    if (arrival?.overGrid) void navigate(-1)
    else change({ image: null })
    // over the grid the drawer does this; beside it nothing else would
    requestAnimationFrame(() => document.getElementById(tileId(openId))?.focus())
  }
  return { openId, linkTo, byHand: arrival?.byHand === true, close }
}

interface ToolbarProps {
  filters: Filters
  /** The number of images per origin that match the other filters. */
  counts: MediaCounts
  /** The number of files per kind that match the other filters. */
  kinds: KindCounts
  onChange: (changes: Record<string, string | null>) => void
}

function Toolbar({ filters, counts, kinds, onChange }: ToolbarProps) {
  const { t } = useTranslation(['common', 'media'])
  const tags = useQuery(imageTagsQuery)
  return (
    <div className="filters">
      <SearchField label={t('media:search')} value={filters.search} onSearch={(search) => onChange({ search })} />
      {ORIGINS.map((origin) => (
        <FilterChip
          key={origin ?? 'all'}
          selected={origin === filters.origin}
          count={origin ? counts[origin] : counts.own + counts.assistant}
          onClick={() => onChange({ origin: originParameter(origin) })}
        >
          {origin ? t(`media:origins.${origin}`) : t('media:all')}
        </FilterChip>
      ))}
      <Select
        className="filter-select"
        aria-label={t('media:kindFilter')}
        data={[{ value: '', label: t('media:kinds.every') }, ...KINDS.map((kind) => ({ value: kind, label: t('media:kindCount', { kind: t(`media:kinds.${kind}`), count: kinds[kind] }) }))]}
        value={filters.kind ?? ''}
        onChange={(kind) => onChange({ kind: kind || null })}
      />
      <TagFilter tags={tags.data} value={filters.tag} onChange={(tag) => onChange({ tag })} />
      <Select
        className="filter-select"
        aria-label={t('media:sort')}
        data={SORTS.map((sort) => ({ value: sort, label: t(`media:sorts.${sort}`) }))}
        value={filters.sort}
        onChange={(sort) => onChange({ sort: sort && sortParameter(sort) })}
      />
    </div>
  )
}

/** The first tile of the grid, which uploads files; on a phone also from the camera. */
function AddTile({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['common', 'media'])
  const touch = useMediaQuery('(pointer: coarse)') ?? false
  const Icon = touch ? IconCamera : IconPhotoPlus
  return (
    <PickFiles kinds={EVERY_KIND} onFiles={onFiles} camera={touch}>
      {(open) => (
        <UnstyledButton className="drop" onClick={open}>
          <Icon size={22} stroke={1.6} aria-hidden />
          <b>{t(touch ? 'media:takePhoto' : 'media:dropHere')}</b>
          <span>
            <Limits kinds={EVERY_KIND} />
          </span>
        </UnstyledButton>
      )}
    </PickFiles>
  )
}

function NoImages({ onFiles }: { onFiles: (files: File[]) => void }) {
  const { t } = useTranslation(['common', 'media'])
  return (
    <EmptyState
      title={t('media:emptyTitle')}
      text={
        <>
          {t('media:emptyText')} <span className="empty-limits"><Limits kinds={EVERY_KIND} /></span>
        </>
      }
      actions={
        <>
          <PickFiles kinds={EVERY_KIND} onFiles={onFiles}>
            {(open) => (
              <Button variant="default" leftSection={<IconUpload size={15} aria-hidden />} onClick={open}>
                {t('media:chooseFiles')}
              </Button>
            )}
          </PickFiles>
          <Button component={Link} to={designerPath()} variant="subtle">
            {t('media:designCard')}
          </Button>
        </>
      }
    />
  )
}
