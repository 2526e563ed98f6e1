import { Input, TextInput } from '@mantine/core'
import { IconFileText, IconVideo } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { ComposedFileInSchema } from '@/api/schemas.gen'
import type { AccountOut, ChannelOut, FitOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useFormat } from '@/i18n/use-format'
import { clockText } from '@/lib/clock-text'
import { fileTitle } from '@/lib/file-title'
import { problemText } from '@/lib/problems'
import type { ComposerForm } from './use-composer'
import type { EditedFile } from './use-files'

const FIELDS = ComposedFileInSchema.properties

export interface CoverProps {
  video: EditedFile
  /** Which networks show the cover. */
  hint: string | undefined
  error: ReactNode
  /** Set the image that is shown before the video plays; null: the network chooses a frame. */
  onChange: (coverId: string | null) => void
}

export interface FileFieldsProps {
  form: ComposerForm
  file: EditedFile
  /** The place of the file in the post. */
  index: number
  /** The accounts that the post goes to. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
  /** The server's check by the rules of each account. */
  fit: readonly FitOut[] | undefined
  /** Draws the field where the cover of a video is chosen. */
  cover: (props: CoverProps) => ReactNode
}

/** The title of a document or a video, the alt text and the cover of a video, and what networks would refuse of it. */
export function FileFields({ form, file, index, accounts, channels, fit, cover }: FileFieldsProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const field = `files.${index}`
  const isVideo = file.kind === 'video'
  const Icon = isVideo ? IconVideo : IconFileText
  const told = problemsAt(field, fit).map(({ channel, problem }) => `${channelName(channel)}: ${problemText(t, problem)}`)
  const problems = told.length > 0 ? told : [form.errors[field]].filter(Boolean)
  const [badTitle] = problemsAt(`${field}.title`, fit)
  const titleError = form.errors[`${field}.title`] ?? (badTitle && problemText(t, badTitle.problem))
  const shownOn = useShownOn(accounts, channels)
  const longest = isVideo ? undefined : longestTitle(accounts, channels)
  return (
    <li className="composer-file" data-field={field}>
      <span className="composer-thumb">
        <img src={file.cover_url ?? file.thumbnail_url} alt="" />
      </span>
      <div className="composer-file-fields">
        <p className="composer-file-name">
          <Icon size={16} stroke={1.7} aria-hidden /> <b className="clip">{file.name || fileTitle(file.title)}</b>
          <small className="num dim">
            {isVideo ? file.seconds !== null && clockText(file.seconds) : file.pages !== null && t('posts:filePages', { count: file.pages })}
          </small>
        </p>
        {file.of_pages && <p className="field-note">{t('posts:composer.ofPages')}</p>}
        {problems.length > 0 && (
          <div role="alert">
            {problems.map((problem, at) => (
              <Input.Error key={at}>{problem}</Input.Error>
            ))}
          </div>
        )}
        <TextInput
          label={t(isVideo ? 'posts:composer.titleOf.video' : 'posts:composer.titleOf.document')}
          placeholder={fileTitle(file.name, longest)}
          maxLength={FIELDS.title.maxLength}
          data-field={`${field}.title`}
          {...form.getInputProps(`${field}.title`)}
          error={titleError}
          inputWrapperOrder={['label', 'input', 'error', 'description']}
          description={
            isVideo ? (
              shownOn('shows_title')
            ) : longest !== undefined && (
              <span className="num" data-over={file.title.length > longest || undefined}>
                {t('posts:composer.count', { length: file.title.length, limit: longest })}
              </span>
            )
          }
        />
        {isVideo && (
          <TextInput
            label={t('posts:altText')}
            placeholder={t('posts:composer.altHintVideo')}
            maxLength={FIELDS.alt.maxLength}
            data-field={`${field}.alt`}
            {...form.getInputProps(`${field}.alt`)}
          />
        )}
        {isVideo &&
          cover({
            video: file,
            hint: shownOn('shows_cover'),
            error: form.errors[`${field}.cover_id`],
            onChange: (coverId) => {
              form.setFieldValue(`${field}.cover_id`, coverId)
              form.clearFieldError(`${field}.cover_id`)
            },
          })}
      </div>
    </li>
  )
}

/** Return a function that says which of the chosen networks show the title or the cover of a video. */
function useShownOn(accounts: readonly AccountOut[], channels: readonly ChannelOut[]) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const taking = channels.filter(({ kind, limits }) => limits.video && accounts.some((account) => account.kind === kind))
  return (part: 'shows_title' | 'shows_cover') => {
    if (taking.length === 0) return undefined
    const showing = taking.filter(({ limits }) => limits.video?.[part])
    const networks = format.list([...new Set(showing.map(({ kind }) => channelName(kind)))])
    return showing.length > 0 ? t('posts:composer.shownOn', { networks }) : t('posts:composer.shownNowhere')
  }
}

/** Return how many characters the title of a document may have at all chosen networks that show documents. */
function longestTitle(accounts: readonly AccountOut[], channels: readonly ChannelOut[]): number | undefined {
  const chosen = channels.filter(({ kind }) => accounts.some((account) => account.kind === kind))
  const limits = chosen.flatMap(({ limits }) => limits.document?.max_title ?? [])
  return limits.length > 0 ? Math.min(...limits) : undefined
}

/** Return the problems of a field, once for each network. */
function problemsAt(field: string, fit: readonly FitOut[] | undefined) {
  const found = (fit ?? []).flatMap(({ channel, problems }) =>
    problems.filter((problem) => problem.field === field).map((problem) => ({ channel, problem })),
  )
  return found.filter(
    ({ channel, problem }, at) => found.findIndex((other) => other.channel === channel && other.problem.code === problem.code) === at,
  )
}
