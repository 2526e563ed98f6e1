import { Button, Textarea, TextInput } from '@mantine/core'
import { IconCards, IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState, type CSSProperties, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import { MediaUpdateSchema } from '@/api/schemas.gen'
import type { MediaDetail, MediaOut, MediaUse } from '@/api/types.gen'
import { CardNotes } from '@/components/card-notes'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { DocumentPages } from '@/components/document-pages'
import { EmptyState } from '@/components/empty-state'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { NewerBanner } from '@/components/newer-banner'
import { SaveBar } from '@/components/save-bar'
import { RowSkeletons } from '@/components/skeletons'
import { TagInput } from '@/components/tag-input'
import { showUndo } from '@/components/undo'
import { useDraftNotice } from '@/components/use-draft-notice'
import { useProblemText } from '@/components/use-problem-text'
import { VideoPlayer } from '@/components/video-player'
import { useFormat } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { withLaterEdits } from '@/lib/edits'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { errorAt, fieldErrors, isMissing, type Problem } from '@/lib/problems'
import { imageQuery, imageTagsQuery, useChangeImage } from '@/features/media/api'
import { layoutName } from '@/lib/card-words'
import { clockText } from '@/lib/clock-text'
import { dimensions, fileName, kindOf, nameOf, sizeText } from '@/features/media/image-text'
import { designerPath } from '@/features/media/links'
import { carouselPath } from '@/lib/carousels'
import { Picture } from '@/features/media/picture'
import { useDelete } from './use-delete'

interface ImageDetailsProps {
  imageId: string
  onClose: () => void
}

/** An image with its form, its facts, where it is used, and its actions. */
export function ImageDetails({ imageId, onClose }: ImageDetailsProps) {
  const { t } = useTranslation(['common', 'media'])
  const image = useQuery(imageQuery(imageId))
  if (image.isPending) return <RowSkeletons rows={3} />
  // also if it is deleted while it is shown
  if (isMissing(image.error))
    return (
      <EmptyState
        title={t('media:goneTitle')}
        text={t('media:goneText')}
        actions={
          <Button variant="default" onClick={onClose}>
            {t('media:goneBack')}
          </Button>
        }
      />
    )
  if (image.isError && !image.data)
    return <Failure title={t('media:imageFailed')} problem={image.error} onRetry={() => void image.refetch()} />
  return (
    <>
      <div className="detail-picture">
        <Shown file={image.data} />
        <CardNotes notes={image.data.card_notes} />
      </div>
      <ImageForm key={image.data.id} image={image.data} />
      <ImageFacts image={image.data} />
      <ImageUses uses={image.data.uses} />
      <ImageActions image={image.data} onDeleted={onClose} />
    </>
  )
}

/** The image, the pages of the document, or the video. */
function Shown({ file }: { file: MediaDetail }) {
  const { t } = useTranslation(['common', 'media'])
  if (file.kind === 'document')
    return (
      <div className="detail-document" style={{ '--ratio': file.width / file.height } as CSSProperties}>
        <DocumentPages key={file.id} file={file} />
      </div>
    )
  if (file.kind === 'video') return <VideoPlayer key={file.id} file={{ ...file, cover_url: null }} name={nameOf(t, file)} />
  return <Picture image={file} full />
}

interface Values {
  name: string
  alt: string
  tags: string[]
}

type Edits = Partial<Values>

interface Draft {
  edits: Edits
  /** The version that the edits change. */
  version: number
}

const FIELDS = ['name', 'alt', 'tags'] as const

const isEqual = (a: unknown, b: unknown) => JSON.stringify(a) === JSON.stringify(b)

/** Return the edits that were made after `sent` was sent. */
const editsSince = (edits: Edits, sent: Edits) => withLaterEdits<Edits>({}, sent, edits)

function ImageForm({ image }: { image: MediaDetail }) {
  const { t } = useTranslation(['common', 'media'])
  const { values, errors, message, changes, saving, conflict, edit, discard, submit } = useImageForm(image)
  const knownTags = useQuery(imageTagsQuery)
  return (
    <form className="stack detail-form" onSubmit={submit} noValidate>
      {conflict && (
        <NewerBanner
          title={t('media:newerTitle')}
          loadLabel={t('media:loadNewer')}
          onLoad={discard}
          onKeep={conflict.keepMine}
        />
      )}
      <FormErrors message={message} />
      <TextInput
        label={t('media:name')}
        maxLength={MediaUpdateSchema.properties.name.anyOf[0].maxLength}
        value={values.name}
        error={errors.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      {/* networks take no description of a document */}
      {image.kind !== 'document' && (
        <Textarea
          label={t('media:alt')}
          description={t(image.kind === 'video' ? 'media:altHintVideo' : 'media:altHint')}
          autosize
          minRows={2}
          maxLength={MediaUpdateSchema.properties.alt.anyOf[0].maxLength}
          value={values.alt}
          error={errors.alt}
          onChange={(event) => edit({ alt: event.currentTarget.value })}
        />
      )}
      <TagInput
        label={t('media:tags')}
        tags={knownTags.data}
        value={values.tags}
        error={errors.tags}
        onChange={(tags) => edit({ tags })}
      />
      <SaveBar changes={changes} saving={saving} onDiscard={discard} />
    </form>
  )
}

/** State of the form of an image: edits are kept as a draft until they are saved. */
function useImageForm(image: MediaDetail) {
  const { t } = useTranslation(['common', 'errors', 'media'])
  const queryClient = useQueryClient()
  const draft = useDraft<Draft>(`image:${image.id}`)
  const [initial] = useState(draft.read)
  // only the edits, so that a change made elsewhere shows in all other fields
  const [edits, setEdits] = useState<Edits>(initial?.edits ?? {})
  const [version, setVersion] = useState(initial?.version ?? image.version)
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [message, setMessage] = useState<string>()
  const textOf = useProblemText()
  const save = useChangeImage()

  const values: Values = { name: image.name, alt: image.alt, tags: image.tags, ...edits }
  const changed = FIELDS.filter((field) => !isEqual(values[field], image[field]))
  const count = changed.length
  const isNewer = image.version > version && !save.isPending
  // changed elsewhere without edits here: show the newer version
  if (isNewer && count === 0) setVersion(image.version)
  useDraftNotice(count > 0, t('media:kept', { name: nameOf(t, image) }))
  useEffect(() => {
    if (count > 0) draft.keep({ edits, version })
    else draft.drop()
  }, [draft, count, edits, version])

  const edit = (change: Edits) => setEdits((before) => ({ ...before, ...change }))
  const take = (next: Edits) => {
    setEdits(next)
    setErrors({})
    setMessage(undefined)
  }
  const discard = () => {
    take({})
    showUndo({ message: t('discarded'), label: t('undo'), undo: () => take(edits) })
  }
  const saved = (sent: Edits, next: MediaOut) => {
    setEdits((before) => editsSince(before, sent))
    setVersion(next.version)
    // the person may have left the page meanwhile
    const left = editsSince(draft.read()?.edits ?? {}, sent)
    if (Object.keys(left).length > 0) draft.keep({ edits: left, version: next.version })
    else draft.drop()
  }
  const failed = async (problem: Problem) => {
    if (problem.code === 'stale_version') {
      const { queryKey } = imageQuery(image.id)
      await queryClient.invalidateQueries({ queryKey })
      const unread = queryClient.getQueryState<MediaDetail, Problem>(queryKey)?.error
      if (unread) setMessage(`${t('media:saveFailed')} ${textOf(unread)}`)
      return
    }
    const serverErrors = fieldErrors(t, problem)
    const atFields = Object.fromEntries(FIELDS.map((field) => [field, errorAt(serverErrors, field)]))
    setErrors(Object.fromEntries(Object.entries(atFields).filter((entry): entry is [string, string] => Boolean(entry[1]))))
    const isShown = Object.values(atFields).some(Boolean)
    setMessage(isShown ? t('media:saveFailed') : `${t('media:saveFailed')} ${textOf(problem)}`)
  }
  const send = useOneAtATime(async () => {
    setErrors({})
    setMessage(undefined)
    const sent: Edits = Object.fromEntries(changed.map((field) => [field, values[field]]))
    const body = { ...sent, version }
    await save.mutateAsync({ path: { media_id: image.id }, body }).then((next) => saved(sent, next), failed)
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  return {
    values,
    errors,
    message,
    /** The number of changed fields. */
    changes: count,
    saving: save.isPending,
    /** Set if the image was changed elsewhere while there are edits here. */
    conflict: isNewer && count > 0 ? { keepMine: () => setVersion(image.version) } : undefined,
    edit,
    discard,
    submit,
  }
}

function ImageFacts({ image }: { image: MediaDetail }) {
  const { t } = useTranslation(['common', 'cards', 'media'])
  const format = useFormat()
  return (
    <div className="detail-facts">
      <Facts
        facts={[
          [t('media:source'), t(`media:sources.${image.source}`)],
          ...(image.carousel ? [[t('media:carousel'), t('media:pageOf', image.carousel)] as [string, string]] : []),
          image.source === 'card'
            ? // a carousel's document has the layouts of its pages
              [t('cards:layout'), image.kind !== 'document' && layoutName(t, image.made_by.replace('cards/', ''))]
            : [t('media:madeBy'), image.made_by],
          [t('media:kind'), kindOf(image.mime)],
          [t('media:pagesFact'), image.pages],
          [t('media:length'), image.seconds !== null && clockText(image.seconds)],
          // of a document, those of its first page on paper
          [t('media:dimensions'), image.kind !== 'document' && dimensions(image)],
          [t('media:size'), sizeText(t, format, image.bytes)],
          [
            t('media:added'),
            <time key="added" dateTime={image.created_at}>
              {format.dayAndTime(image.created_at)}
            </time>,
          ],
        ]}
      />
    </div>
  )
}

const pathOf = ({ kind, id }: MediaUse) => {
  if (kind === 'post') return generatePath(paths.post, { socialMediaPostId: id })
  if (kind === 'template') return generatePath(paths.template, { templateId: id })
  if (kind === 'brand') return `${paths.templates}?tab=brands&brand=${id}`
  if (kind === 'assistant') return generatePath(paths.assistant, { assistantId: id })
  return designerPath(id)
}

function ImageUses({ uses }: { uses: MediaUse[] }) {
  const { t } = useTranslation(['common', 'media'])
  return (
    <div>
      <h3 className="field-label">{t('media:usedIn')}</h3>
      {uses.length === 0 ? (
        <p className="mid detail-none">{t('media:unused')}</p>
      ) : (
        <ul className="detail-uses">
          {uses.map((use) => (
            <li key={`${use.kind}:${use.id}`}>
              <span className="dim">{t(`media:uses.${use.kind}`)}</span>
              <Link className="link" to={pathOf(use)}>
                {use.name || t(`media:uses.${use.kind}`)}
              </Link>
              {use.blocks && <small className="dim">{t('media:blocks')}</small>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

const scrollIntoView = (element: HTMLElement | null) => element?.scrollIntoView({ block: 'nearest' })

function ImageActions({ image, onDeleted }: { image: MediaDetail; onDeleted: () => void }) {
  const { t } = useTranslation(['common', 'media'])
  const textOf = useProblemText()
  const remove = useDelete()
  const [refused, setRefused] = useState<Problem>()
  const shownAddress = useRef<HTMLElement>(null)
  const [showsAddress, setShowsAddress] = useState(false)
  const address = new URL(image.url, location.origin).href

  const deleteIt = async () => {
    setRefused(undefined)
    const outcome = await remove.run([image])
    if (!outcome) return
    const [held] = outcome.refused
    if (held) setRefused(held.problem)
    else onDeleted()
  }
  return (
    <div className="stack detail-actions">
      {image.card && (
        <Button
          component={Link}
          to={image.carousel?.sequence_id ? carouselPath(image.id) : designerPath(image.id)}
          variant="default"
          leftSection={<IconCards size={15} aria-hidden />}
        >
          {t(image.carousel?.sequence_id ? 'media:editCarousel' : 'media:editCard')}
        </Button>
      )}
      <div className="detail-row">
        <Button
          component="a"
          href={image.url}
          download={fileName(nameOf(t, image), image.mime)}
          variant="default"
          size="xs"
          leftSection={<IconDownload size={15} aria-hidden />}
        >
          {t('media:download')}
        </Button>
        <CopyButton
          size="xs"
          text={address}
          label={t('media:copyAddress')}
          onForbidden={() => {
            setShowsAddress(true)
            return markAndCopy(shownAddress.current)
          }}
        />
        <Button
          size="xs"
          color="red"
          variant="subtle"
          leftSection={<IconTrash size={15} aria-hidden />}
          loading={remove.pending}
          onClick={() => void deleteIt()}
        >
          {t('media:delete')}
        </Button>
      </div>
      {refused && (
        <div className="form-errors" role="alert" ref={scrollIntoView}>
          {textOf(refused)}
        </div>
      )}
      {/* always rendered, because only a rendered text can be selected */}
      <code className={showsAddress ? 'mono detail-address' : 'vh'} aria-hidden={!showsAddress} ref={shownAddress}>
        {address}
      </code>
      <p className="fine-print detail-print">{t('media:addressHint')}</p>
    </div>
  )
}
