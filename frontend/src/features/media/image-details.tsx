import { Button, TagsInput, Textarea, TextInput } from '@mantine/core'
import { IconCards, IconDownload, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { MediaDetail, MediaUse } from '@/api/types.gen'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { SaveBar } from '@/components/save-bar'
import { RowSkeletons } from '@/components/skeletons'
import { useKeptNotice } from '@/components/use-kept-notice'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { paths } from '@/lib/paths'
import { fieldErrors, type Problem } from '@/lib/problems'
import { imageQuery, imageTagsQuery, useChangeImage } from './api'
import { layoutName } from '@/lib/card-layouts'
import { dimensions, fileName, kindOf, nameOf, sizeText } from './image-text'
import { designerPath } from './links'
import { Picture } from './picture'
import { useDelete } from './use-delete'

interface ImageDetailsProps {
  imageId: string
  onDeleted: () => void
}

/** Everything about one image: what it shows, where it is used, and what can be done with it. */
export function ImageDetails({ imageId, onDeleted }: ImageDetailsProps) {
  const { t } = useTranslation()
  const image = useQuery(imageQuery(imageId))
  if (image.isPending) return <RowSkeletons rows={3} />
  if (image.isError && !image.data)
    return <Failure title={t('media.imageFailed')} problem={image.error} onRetry={() => void image.refetch()} />
  return (
    <>
      <div className="detail-picture">
        <Picture image={image.data} full />
      </div>
      <ImageForm key={image.data.id} image={image.data} />
      <ImageFacts image={image.data} />
      <ImageUses uses={image.data.uses} />
      <ImageActions image={image.data} onDeleted={onDeleted} />
    </>
  )
}

interface Values {
  name: string
  alt: string
  tags: string[]
}

const FIELDS = ['name', 'alt', 'tags'] as const

function ImageForm({ image }: { image: MediaDetail }) {
  const { t } = useTranslation()
  const draft = useDraft<Partial<Values>>(`image:${image.id}`)
  // only what was typed, so that a change from elsewhere shows in all other fields
  const [edits, setEdits] = useState<Partial<Values>>(() => draft.read() ?? {})
  const [errors, setErrors] = useState<Record<string, string>>({})
  const [message, setMessage] = useState<string>()
  const knownTags = useQuery(imageTagsQuery)
  const textOf = useProblemText()
  const save = useChangeImage()

  const values: Values = { name: image.name, alt: image.alt, tags: image.tags, ...edits }
  const changed = FIELDS.filter((field) => JSON.stringify(values[field]) !== JSON.stringify(image[field]))
  const count = changed.length
  useKeptNotice(count > 0, t('media.kept', { name: nameOf(t, image) }))
  useEffect(() => {
    if (count > 0) draft.keep(edits)
    else draft.drop()
  }, [draft, count, edits])

  const edit = (change: Partial<Values>) => setEdits({ ...edits, ...change })
  const failed = (problem: Problem) => {
    const found = fieldErrors(t, problem)
    const tags = Object.entries(found).find(([field]) => field.startsWith('tags'))?.[1]
    const known = { name: found.name, alt: found.alt, tags }
    setErrors(Object.fromEntries(Object.entries(known).filter((entry): entry is [string, string] => Boolean(entry[1]))))
    const atField = Object.values(known).some(Boolean)
    setMessage(atField ? t('media.saveFailed') : `${t('media.saveFailed')} ${textOf(problem)}`)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setErrors({})
    setMessage(undefined)
    save.mutate(
      {
        path: { media_id: image.id },
        body: Object.fromEntries(changed.map((field) => [field, values[field]])),
      },
      { onError: failed },
    )
  }
  return (
    <form className="stack detail-form" onSubmit={submit} noValidate>
      <FormErrors message={message} />
      <TextInput
        label={t('media.name')}
        maxLength={200}
        value={values.name}
        error={errors.name}
        onChange={(event) => edit({ name: event.currentTarget.value })}
      />
      <Textarea
        label={t('media.alt')}
        description={t('media.altHint')}
        autosize
        minRows={2}
        maxLength={1000}
        value={values.alt}
        error={errors.alt}
        onChange={(event) => edit({ alt: event.currentTarget.value })}
      />
      <TagsInput
        label={t('media.tags')}
        data={knownTags.data?.map(({ tag }) => tag) ?? []}
        value={values.tags}
        error={errors.tags}
        onChange={(tags) => edit({ tags })}
      />
      <SaveBar
        changes={count}
        saving={save.isPending}
        onDiscard={() => {
          setEdits({})
          setErrors({})
          setMessage(undefined)
        }}
      />
    </form>
  )
}

function ImageFacts({ image }: { image: MediaDetail }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <div className="detail-facts">
      <Facts
        facts={[
          [t('media.source'), t(`media.sources.${image.source}`)],
          image.source === 'card'
            ? [t('cards.layout'), layoutName(t, image.made_by.replace('cards/', ''))]
            : [t('media.madeBy'), image.made_by],
          [t('media.kind'), kindOf(image.mime)],
          [t('media.dimensions'), dimensions(image)],
          [t('media.size'), sizeText(t, format, image.bytes)],
          [
            t('media.added'),
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
  return designerPath(id)
}

function ImageUses({ uses }: { uses: MediaUse[] }) {
  const { t } = useTranslation()
  return (
    <div>
      <h3 className="field-label">{t('media.usedIn')}</h3>
      {uses.length === 0 ? (
        <p className="mid detail-none">{t('media.unused')}</p>
      ) : (
        <ul className="detail-uses">
          {uses.map((use) => (
            <li key={`${use.kind}:${use.id}`}>
              <span className="dim">{t(`media.uses.${use.kind}`)}</span>
              <Link className="link" to={pathOf(use)}>
                {use.name || t(`media.uses.${use.kind}`)}
              </Link>
              {use.blocks && <small className="dim">{t('media.blocks')}</small>}
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function ImageActions({ image, onDeleted }: { image: MediaDetail; onDeleted: () => void }) {
  const { t } = useTranslation()
  const textOf = useProblemText()
  const remove = useDelete()
  const [refused, setRefused] = useState<Problem>()
  const shownAddress = useRef<HTMLElement>(null)
  const [showsAddress, setShowsAddress] = useState(false)
  const address = new URL(image.url, location.origin).href

  const deleteIt = async () => {
    setRefused(undefined)
    const { refused: held } = await remove.run([image])
    if (held[0]) setRefused(held[0].problem)
    else onDeleted()
  }
  return (
    <div className="stack detail-actions">
      {image.card && (
        <Button
          component={Link}
          to={designerPath(image.id)}
          variant="default"
          leftSection={<IconCards size={15} aria-hidden />}
        >
          {t('media.editCard')}
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
          {t('media.download')}
        </Button>
        <CopyButton
          size="xs"
          text={address}
          label={t('media.copyAddress')}
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
          {t('media.delete')}
        </Button>
      </div>
      {/* there before it is needed, since what is not shown cannot be marked */}
      <code className={showsAddress ? 'mono detail-address' : 'vh'} aria-hidden={!showsAddress} ref={shownAddress}>
        {address}
      </code>
      <p className="fine-print detail-print">{t('media.addressHint')}</p>
      {refused && (
        <div className="form-errors" role="alert">
          {textOf(refused)}
        </div>
      )}
    </div>
  )
}
