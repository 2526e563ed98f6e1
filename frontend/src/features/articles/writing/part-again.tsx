import { Button, Group } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Part, WritingOut } from '@/api/types.gen'
import { optionalChoice, TemplateFields, type TemplateChoice } from '@/components/template-fields'
import { WriterNote } from '@/components/writer-note'
import { problemBesidesFields, RemarkField, WritingPanel } from '@/components/writing-panel'
import { WritingState } from '@/components/writing-state'
import { replacePassage, passageText, type Passage } from '@/lib/passage'
import { fieldErrors } from '@/lib/problems'
import { plannedAt } from '@/lib/time-zones'
import { useFocusInvalid } from '@/lib/use-focus-invalid'
import { passageNow, readRevision } from './article-parts'
import type { Values } from '@/features/articles/editor/article-values'
import { MadeBy } from './made-by'
import { NewVersion } from './new-version'
import type { ArticleForm } from '@/features/articles/editor/use-article'
import { changesOf } from './use-flow'
import { usePartWriting } from './use-part-writing'
import type { Changes, AppliedText } from '@/features/articles/editor/use-applied-text'

/** What is written again: a part of the article, or a passage of the text, such as the one below a heading. */
export type Target = { part: Exclude<Part, 'section'> } | { part: 'passage'; passage: Passage; heading?: string }

interface PartAgainProps {
  target: Target
  form: ArticleForm
  stored: () => Promise<string | undefined>
  choice: TemplateChoice
  applied: AppliedText
  onBusy: (busy: boolean) => void
  onClose: () => void
}

/** The panel that writes a part of the article again: a remark, and the new version, which is taken or discarded. */
export function PartAgain({ target, form, stored, choice: templateChoice, applied, onBusy, onClose }: PartAgainProps) {
  const { t } = useTranslation(['common', 'articles', 'errors', 'writing'])
  const panel = useRef<HTMLElement>(null)
  const [remark, setRemark] = useState('')
  const { part } = target
  const { values } = form
  const needsTemplate = part === 'outline'
  const choice = needsTemplate ? templateChoice : optionalChoice(templateChoice)
  const offersTemplate = needsTemplate || (part !== 'passage' && templateChoice.templates.length > 0)
  const { writing, busy, writings, start } = usePartAgain({ target, form, stored, by: choice.order })
  const { problem } = writing
  const errors = problem ? fieldErrors(t, problem) : {}
  const last = writing.writing
  const ready = !busy && last?.state === 'succeeded' ? last : undefined
  const changes = ready && changesFor(target, ready, values)

  const needsRemark = part === 'passage' || part === 'revision'
  const lacksText = part !== 'outline' && part !== 'passage' && values.content.trim() === ''
  const mayStart = !lacksText && !(needsRemark && remark.trim() === '') && !(needsTemplate && !choice.order)

  useEffect(() => {
    onBusy(busy)
    return () => onBusy(false)
  }, [onBusy, busy])
  useFocusInvalid(panel, problem)
  useEffect(() => {
    if (ready) panel.current?.querySelector<HTMLElement>('[data-next]')?.focus()
  }, [ready])

  const startIfReady = () => {
    if (mayStart && !busy) void start(remark.trim())
  }
  const take = () => {
    if (!changes) return
    applied.take(part, changes, t(DONE[part]))
    onClose()
  }
  const heading = target.part === 'passage' ? target.heading : undefined
  return (
    <WritingPanel
      ref={panel}
      title={heading ? t('articles:writer.again.section', { heading }) : t(AGAIN[part])}
      onEscape={busy ? writing.stop : onClose}
    >
      {target.part === 'passage' && !heading && (
        <blockquote className="writing-passage" aria-label={t('writing:selected')}>
          {passageText(target.passage)}
        </blockquote>
      )}
      {offersTemplate && (
        <TemplateFields choice={choice} errors={errors} optional={!needsTemplate} disabled={busy} onChange={() => writing.make.reset()} />
      )}
      <RemarkField
        label={needsRemark ? t('articles:writer.remark') : t('articles:writer.remarkOptional')}
        description={t(heading ? 'articles:writer.remarkSection' : HINTS[part])}
        value={remark}
        error={errors.remark}
        disabled={busy}
        autoFocus={!needsTemplate}
        onChange={(next) => {
          setRemark(next)
          if (problem) writing.reset()
        }}
        onStart={startIfReady}
      />
      {lacksText && <p className="field-note">{t('articles:writer.noText')}</p>}
      <WritingState writing={writing} problem={problemBesidesFields(problem, errors, ['remark', ...(offersTemplate ? choice.fields : [])])} />
      {busy && last?.text && <NewVersion writing={last} language={values.language} />}
      {ready && <Result ready={ready} writings={writings} isOutdated={!changes} language={values.language} />}
      {!busy && (
        <Group gap="sm">
          {changes && (
            <Button size="xs" data-next onClick={take}>
              {t('articles:writer.take')}
            </Button>
          )}
          <Button size="xs" variant={changes ? 'default' : 'filled'} disabled={!mayStart} onClick={startIfReady}>
            {t(ready ? 'articles:writer.onceMore' : 'articles:writer.writeAgain')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t(ready ? 'articles:writer.discard' : 'close')}
          </Button>
          {!ready && (
            <span className="writing-cost">
              <WriterNote />
            </span>
          )}
        </Group>
      )}
    </WritingPanel>
  )
}

interface ResultProps {
  ready: WritingOut
  writings: readonly WritingOut[]
  /** The passage that it replaces is no longer in the text. */
  isOutdated: boolean
  language: Values['language']
}

/** The new version, its cost, and why it cannot be taken. */
function Result({ ready, writings, isOutdated, language }: ResultProps) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    <>
      <NewVersion writing={ready} language={language} />
      <MadeBy writings={writings} />
      {isOutdated && (
        <p className="writing-error" role="alert">
          {t('articles:writer.moved')}
        </p>
      )}
    </>
  )
}

interface PartAgainOptions {
  target: Target
  form: ArticleForm
  stored: () => Promise<string | undefined>
  /** The chosen template, if any. */
  by: TemplateChoice['order']
}

/** Save the article, request a part again with a remark, and follow how it is written. */
function usePartAgain({ target, form, stored, by }: PartAgainOptions) {
  const [preparing, setPreparing] = useState(false)
  const [writings, setWritings] = useState<WritingOut[]>([])
  const writing = usePartWriting((result) => setWritings((before) => [...before, result]))

  async function start(remark: string) {
    writing.reset()
    setPreparing(true)
    const articleId = await stored().finally(() => setPreparing(false))
    if (!articleId) return
    const { title, content, language, zone, planned } = form.getValues()
    const path = { article_id: articleId }
    if (target.part === 'passage') {
      const passage = passageNow(target.passage, content) ?? target.passage
      writing.rewrite.mutate({ path, body: { ...passage, remark, language } })
      return
    }
    writing.make.mutate({
      path,
      body: {
        part: target.part,
        by: by ?? null,
        title,
        text: content,
        remark,
        language,
        time_zone: zone,
        planned_at: plannedAt({ planned, zone })?.toISOString() ?? null,
      },
    })
  }
  return {
    writing,
    busy: preparing || writing.atWork,
    /** All versions so far, since each one has a cost. */
    writings,
    start,
  }
}

/** Return the changes that a new version makes; undefined if its passage is no longer in the text. */
function changesFor(target: Target, writing: WritingOut, { title, content }: Values): Changes | undefined {
  if (target.part === 'passage') {
    const passage = passageNow(target.passage, content)
    return passage && { content: replacePassage(passage, writing.text) }
  }
  return target.part === 'revision' ? readRevision(writing.text, title) : changesOf(target.part, writing)
}

type Name = Target['part']

const AGAIN = {
  passage: 'articles:writer.again.passage',
  outline: 'articles:writer.again.outline',
  summary: 'articles:writer.again.summary',
  search: 'articles:writer.again.search',
  revision: 'articles:writer.again.revision',
} as const satisfies Record<Name, string>

const HINTS = {
  passage: 'writing:remarkHint',
  outline: 'articles:writer.remarkOutline',
  summary: 'articles:writer.remarkField',
  search: 'articles:writer.remarkField',
  revision: 'articles:writer.remarkRevision',
} as const satisfies Record<Name, string>

const DONE = {
  passage: 'writing:donePassage',
  outline: 'articles:writer.done.outline',
  summary: 'articles:writer.done.summary',
  search: 'articles:writer.done.search',
  revision: 'articles:writer.done.revision',
} as const satisfies Record<Name, string>
