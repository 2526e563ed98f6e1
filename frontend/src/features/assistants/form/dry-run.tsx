import { Button, Drawer, Select } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconFlask, IconPlayerStop, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantOut, DryRunOut, DryRunOutlineOut, FileOut, MadePageOut } from '@/api/types.gen'
import { channelName, firstChannel } from '@/components/channel'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { lazyPart } from '@/components/lazy-part'
import { PostPreview } from '@/components/post-preview'
import { ProblemText } from '@/components/problem-text'
import { ReasonText } from '@/components/reason-text'
import { ServerWords } from '@/components/server-words'
import { RowSkeletons } from '@/components/skeletons'
import { useDemoWriter } from '@/components/use-demo-writer'
import { useFormat } from '@/i18n/use-format'
import { shortCountdown, millisecondsUntil, useNow } from '@/lib/clock'
import { isAtWork } from '@/lib/generation'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, retryText } from '@/lib/problems'
import { cutFrom, sentFiles } from '@/lib/sent-files'
import { accountsQuery, channelsQuery, dryRunQuery, treeTopicsQuery, useCancelDryRun, useStartDryRun } from '@/features/assistants/api'
import { useAssistantForm } from './assistant-form-context'
import { toFormField } from './form-field'
import { toBody, writtenFor } from './form-values'
import { shortTime } from '@/features/assistants/runs/run-view'
import { correctionText, lengthText, repetitionText } from './text-facts'
import './dry-run.css'

const ReviewSection = lazyPart(async () => (await import('@/components/review-notes')).ReviewSection)

interface DryRunProps {
  /** Null for a new assistant. */
  assistant: AssistantOut | null
  /** Called with the errors that prevent a sample, by field. */
  onErrors: (errors: Record<string, ReactNode>) => void
}

/** A sample made with the values of the form, saved or not: a post, or an article's title and headings. */
export function DryRun({ assistant, onErrors }: DryRunProps) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const form = useAssistantForm()
  const isDemo = useDemoWriter()
  const [opened, drawer] = useDisclosure(false)
  const [shown, setShown] = useState<string | null>(null)
  const [topicId, setTopicId] = useState<string | null>(null)
  const starting = useStartDryRun()
  const startOnce = useMutateOnce(starting)
  const { topic_tree_id, template_version_id, website_id } = form.values
  const written = writtenFor(form.values)
  const lacks = topic_tree_id === null || template_version_id === null ? 'noTree' : written === 'article' && website_id === null ? 'noWebsite' : null

  const start = () =>
    startOnce(
      { body: { assistant: toBody(form.getValues()), assistant_id: assistant?.id ?? null, topic_id: topicId } },
      {
        onSuccess: ({ id }) => setShown(id),
        onError: (problem) => {
          const fieldErrors: Record<string, string> = {}
          for (const error of problem.errors) fieldErrors[toFormField(error.field)] ??= problemText(t, error)
          if (Object.keys(fieldErrors).length === 0) return
          // the fields with errors are in the form behind the drawer
          drawer.close()
          onErrors(fieldErrors)
        },
      },
    )
  const open = () => {
    drawer.open()
    if (shown === null) start()
  }
  return (
    <>
      <Button className="dry-run-open" variant="light" leftSection={<IconFlask size={16} aria-hidden />} onClick={open} disabled={lacks !== null}>
        {t(`assistants:form.dryRun.open.${written}`)}
      </Button>
      {lacks && <p className="field-note">{t(`assistants:form.dryRun.${lacks}`)}</p>}
      <Drawer
        opened={opened}
        onClose={drawer.close}
        position="right"
        size={640}
        title={t('assistants:form.dryRun.title')}
        closeButtonProps={{ 'aria-label': t('close') }}
        className="run-drawer"
      >
        <div className="dry-run">
          <div className="dry-run-start">
            {topic_tree_id && <TopicChoice key={topic_tree_id} treeId={topic_tree_id} chosen={topicId} onChoose={setTopicId} />}
            <Button variant="default" leftSection={<IconRepeat size={15} aria-hidden />} loading={starting.isPending} onClick={start}>
              {t(shown === null ? 'assistants:form.dryRun.start' : 'assistants:form.dryRun.again')}
            </Button>
          </div>
          <p className="field-note">
            {isDemo ? (
              t('assistants:form.dryRun.free')
            ) : (
              <>
                {t(`assistants:form.dryRun.cost.${written}`)} {assistant?.budget && t('assistants:form.dryRun.onBudget')}
              </>
            )}
          </p>
          {starting.isError && starting.error.errors.length === 0 && (
            <p className="dry-run-note" data-tone="bad" role="alert">
              <strong>{t('assistants:form.dryRun.startFailed')}</strong> <ProblemText problem={starting.error} />
            </p>
          )}
          {shown && <Followed key={shown} dryRunId={shown} />}
        </div>
      </Drawer>
    </>
  )
}

interface TopicChoiceProps {
  treeId: string
  chosen: string | null
  onChoose: (topicId: string | null) => void
}

function TopicChoice({ treeId, chosen, onChoose }: TopicChoiceProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const tree = useQuery(treeTopicsQuery(treeId))
  const topics = tree.data?.topics ?? []
  return (
    <Select
      label={t('assistants:form.dryRun.topic')}
      placeholder={t('assistants:form.dryRun.nextTopic')}
      data={topics.map(({ id, title, depth }) => ({ value: id, label: `${'– '.repeat(depth)}${title}` }))}
      value={topics.some(({ id }) => id === chosen) ? chosen : null}
      onChange={onChoose}
      searchable
      clearable
      limit={100}
    />
  )
}

function Followed({ dryRunId }: { dryRunId: string }) {
  const { t } = useTranslation(['common', 'assistants'])
  const dryRun = useQuery(dryRunQuery(dryRunId))
  if (dryRun.isError) return <Failure title={t('assistants:form.dryRun.startFailed')} problem={dryRun.error} onRetry={() => void dryRun.refetch()} />
  return dryRun.data ? <Result dryRun={dryRun.data} /> : <RowSkeletons rows={4} />
}

function Result({ dryRun }: { dryRun: DryRunOut }) {
  const { t } = useTranslation(['common', 'assistants'])
  const { review = [] } = dryRun
  const open = isAtWork(dryRun)
  return (
    <section aria-label={t('assistants:form.dryRun.title')} aria-busy={open}>
      {open && <AtWork dryRun={dryRun} />}
      {dryRun.state === 'failed' && (
        <p className="dry-run-note" data-tone="bad" role="alert">
          <strong>{t('assistants:form.dryRun.failed')}</strong> <ReasonText code={dryRun.reason ?? 'internal'} />
          {dryRun.detail && <ServerWords>{dryRun.detail}</ServerWords>}
        </p>
      )}
      {dryRun.state === 'cancelled' && <p className="dry-run-note">{t('assistants:form.dryRun.cancelled')}</p>}
      {dryRun.image_reason && (
        <p className="dry-run-note" data-tone="warn">
          <strong>{t('assistants:form.dryRun.noImage')}</strong> <ReasonText code={dryRun.image_reason} />
        </p>
      )}
      <TextNotes facts={dryRun.facts} />
      {dryRun.text && <Previews dryRun={dryRun} />}
      {review.length > 0 && <ReviewSection notes={review} />}
      {dryRun.outline && <Outline outline={dryRun.outline} topic={dryRun.topic} lang={dryRun.language} />}
      {dryRun.outline && dryRun.written && (
        <p className="field-note">{t('assistants:form.dryRun.whole', { count: dryRun.outline.further_texts })}</p>
      )}
      {(dryRun.text || dryRun.outline) && dryRun.provider === 'demo' && (
        <p className="field-note">{t(dryRun.is_article ? 'assistants:form.dryRun.outlineDemo' : 'assistants:form.dryRun.demo')}</p>
      )}
      {!open && <Used dryRun={dryRun} />}
    </section>
  )
}

/** How the text was shortened, corrected or rewritten, if it was. */
function TextNotes({ facts }: { facts: DryRunOut['facts'] }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  const notes = { prompt: facts.prompt_cut === true && t('runs:promptCut'), correction: correctionText(t, facts), length: lengthText(t, facts), repetition: repetitionText(t, format, facts) }
  return Object.entries(notes).map(
    ([name, note]) =>
      note && (
        <p key={name} className="dry-run-note" data-tone={name === 'prompt' ? 'warn' : undefined}>
          {note}
        </p>
      ),
  )
}

/** The current step of the sample, and a stop button. */
function AtWork({ dryRun }: { dryRun: DryRunOut }) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const now = useNow()
  const cancel = useCancelDryRun()
  const stop = () =>
    cancel.mutate(
      { path: { dry_run_id: dryRun.id } },
      {
        onError: (problem) =>
          void notifications.show({ color: 'red', message: `${t('assistants:form.dryRun.cancelFailed')} ${problemText(t, problem)}` }),
      },
    )
  const wait = dryRun.next_try_at ? millisecondsUntil(dryRun.next_try_at, now) : 0
  return (
    <div className="dry-run-work">
      <span role="status">
        {dryRun.reason ? `${t('assistants:form.dryRun.retry', { attempt: dryRun.attempt })} ${retryText(t, dryRun.reason)}` : doing()}
      </span>
      {wait > 0 && <span className="num">{t('assistants:form.dryRun.nextTry', { wait: shortCountdown(wait) })}</span>}
      <span className="grow" />
      <Button size="xs" variant="default" leftSection={<IconPlayerStop size={14} aria-hidden />} loading={cancel.isPending} onClick={stop}>
        {t('assistants:form.dryRun.cancel')}
      </Button>
    </div>
  )

  function doing() {
    if (dryRun.state === 'queued') return t('assistants:form.dryRun.queued')
    if (dryRun.written) return t('assistants:form.dryRun.drawing')
    return t(dryRun.is_article ? 'assistants:form.dryRun.planning' : 'assistants:form.dryRun.writing', { topic: dryRun.topic.title })
  }
}

/** The outline of an article: topic, title and the topics of its sections. */
function Outline({ outline: { title, headings }, topic, lang }: { outline: DryRunOutlineOut; topic: DryRunOut['topic']; lang: string }) {
  const { t } = useTranslation(['common', 'assistants'])
  const named = headings.filter(Boolean)
  return (
    <article className="dry-run-outline">
      <p className="field-note">
        {t('assistants:form.dryRun.about')} <span lang={lang}>{[...topic.path, topic.title].join(' › ')}</span>
      </p>
      <h3 lang={lang}>{title}</h3>
      {named.length > 0 ? (
        <ol lang={lang} aria-label={t('assistants:form.dryRun.headings')}>
          {named.map((heading) => (
            <li key={heading}>{heading}</li>
          ))}
        </ol>
      ) : (
        <p className="field-note">{t('assistants:form.dryRun.noHeadings')}</p>
      )}
    </article>
  )
}

interface SampleFile extends MadePageOut, Pick<FileOut, 'kind' | 'carousel'> {
  title?: string
  /** Number of pages of a document. */
  pages?: number
  drawn?: readonly MadePageOut[]
}

/** Return the pages of the sample's carousel, or its image. */
function imagesOf({ id, pages = [], image_url, image_width, image_height }: DryRunOut): SampleFile[] {
  if (pages.length > 0)
    return pages.map((page, index) => ({
      ...page,
      kind: 'image',
      carousel: { number: index + 1, count: pages.length, sequence_id: null },
    }))
  if (!image_url) return []
  const size = { width: image_width ?? 0, height: image_height ?? 0 }
  return [{ media_id: id, url: image_url, alt: '', ...size, kind: 'image', carousel: null }]
}

/** Return the document that a run makes of the pages, for networks that take one. */
function documentsOf({ id, pages = [], document_title: title }: DryRunOut): SampleFile[] {
  const [first] = pages
  return first && typeof title === 'string'
    ? [{ ...first, media_id: id, kind: 'document', carousel: null, title, pages: pages.length, drawn: pages }]
    : []
}

/** The preview for each chosen account. */
function Previews({ dryRun }: { dryRun: DryRunOut }) {
  const { t } = useTranslation(['common', 'assistants'])
  const connected = useQuery(accountsQuery)
  const channels = useQuery(channelsQuery)
  const pages = imagesOf(dryRun)
  const sentTo = (channel: string) => {
    const limits = channels.data?.find(({ kind }) => kind === channel)?.limits
    return limits ? sentFiles([...pages, ...documentsOf(dryRun)], limits) : pages
  }
  const postFor = (channel: string | null) => ({
    // a network without its own text gets the common one
    content: dryRun.texts.find((own) => own.channel === channel)?.content ?? dryRun.text,
    language: dryRun.language,
    deliveries: [],
    files: channel === null ? pages : sentTo(channel),
  })
  if (dryRun.accounts.length === 0)
    return (
      <figure className="dry-run-preview">
        <figcaption>{t('assistants:form.dryRun.noAccount')}</figcaption>
        <PostPreview post={postFor(null)} channel={firstChannel} author={{ name: t('assistants:form.dryRun.you'), pictureUrl: null }} />
      </figure>
    )
  return dryRun.accounts.map(({ id, kind, name }) => (
    <figure key={id} className="dry-run-preview">
      <figcaption>{t('assistants:form.dryRun.on', { network: channelName(kind), name })}</figcaption>
      <PostPreview
        post={postFor(kind)}
        channel={kind}
        pages={cutFrom(pages, sentTo(kind))}
        author={{ name, pictureUrl: connected.data?.find((account) => account.id === id)?.picture_url ?? null }}
      />
    </figure>
  ))
}

function Used({ dryRun }: { dryRun: DryRunOut }) {
  const { t } = useTranslation(['common', 'assistants'])
  const format = useFormat()
  const countText = (count: number | null) => (count === null ? '?' : format.number(count))
  const { input_tokens, output_tokens, cost_micros, currency, duration_ms } = dryRun
  const demo = dryRun.provider === 'demo' && !cost_micros
  return (
    <Facts
      facts={[
        [t('assistants:form.dryRun.tokens'), !demo && <span className="num">{`${countText(input_tokens)} / ${countText(output_tokens)}`}</span>],
        [t('assistants:form.dryRun.costLabel'), cost_micros === null ? t('assistants:form.dryRun.unknown') : format.money(cost_micros, currency)],
        [t('assistants:form.dryRun.took'), duration_ms !== null && shortTime(format, duration_ms)],
      ]}
    />
  )
}
