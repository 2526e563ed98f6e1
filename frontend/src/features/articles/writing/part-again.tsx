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
import { passageNow, readRevision } from './article-parts'
import type { Values } from '@/features/articles/editor/article-values'
import { MadeBy } from './made-by'
import { NewVersion } from './new-version'
import type { ArticleForm } from '@/features/articles/editor/use-article'
import { changesOf } from './use-flow'
import { usePartWriting } from './use-part-writing'
import type { Changes, AppliedText } from '@/features/articles/editor/use-applied-text'

/** What is written again: a passage of the text, which may be what stands below a heading, or a part. */
export type Target = { part: Exclude<Part, 'section'> } | { part: 'passage'; passage: Passage; heading?: string }

interface PartAgainProps {
  target: Target
  form: ArticleForm
  stored: () => Promise<string | undefined>
  choice: TemplateChoice
  taking: AppliedText
  onBusy: (busy: boolean) => void
  onClose: () => void
}

/** What should be another in a part of the article, and the new version of it, which is taken or discarded. */
export function PartAgain({ target, form, stored, choice: given, taking, onBusy, onClose }: PartAgainProps) {
  const { t } = useTranslation(['common', 'articles', 'errors', 'writing'])
  const panel = useRef<HTMLElement>(null)
  const [remark, setRemark] = useState('')
  const [preparing, setPreparing] = useState(false)
  /** The version that is shown; what was written before it cost, too. */
  const [made, setMade] = useState<WritingOut[]>([])
  const writing = usePartWriting((one) => setMade((before) => [...before, one]))
  const { part } = target
  const { values } = form
  const { problem } = writing
  const errors = problem ? fieldErrors(t, problem) : {}
  const busy = preparing || writing.atWork
  const last = writing.writing
  const ready = !busy && last?.state === 'succeeded' ? last : undefined
  const changes = ready && changesFor(target, ready, values)
  const needsRemark = part === 'passage' || part === 'revision'
  const needsTemplate = part === 'outline'
  const choice = needsTemplate ? given : optionalChoice(given)
  // a passage is rewritten without one
  const offersTemplate = part !== 'passage' && (needsTemplate || given.found.length > 0)
  const wordless = part !== 'outline' && part !== 'passage' && values.content.trim() === ''
  const held = needsRemark && remark.trim() === ''

  useEffect(() => {
    onBusy(busy)
    return () => onBusy(false)
  }, [onBusy, busy])
  useEffect(() => {
    if (problem) panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem])
  useEffect(() => {
    if (ready) panel.current?.querySelector<HTMLElement>('[data-next]')?.focus()
  }, [ready])

  async function start() {
    if (busy || held || wordless || (needsTemplate && !choice.order)) return
    writing.reset()
    setPreparing(true)
    const articleId = await stored().finally(() => setPreparing(false))
    if (!articleId) return
    const { title: told, content, language, zone, planned } = form.getValues()
    const path = { article_id: articleId }
    const wish = { remark: remark.trim(), language }
    if (target.part === 'passage') {
      const passage = passageNow(target.passage, content) ?? target.passage
      writing.rewrite.mutate({ path, body: { ...passage, ...wish } })
    } else
      writing.make.mutate({
        path,
        body: {
          part: target.part,
          by: choice.order ?? null,
          title: told,
          text: content,
          ...wish,
          time_zone: zone,
          planned_at: plannedAt({ planned, zone })?.toISOString() ?? null,
        },
      })
  }
  const take = () => {
    if (!changes) return
    taking.take(part, changes, t(DONE[part]))
    onClose()
  }

  return (
    <WritingPanel
      ref={panel}
      title={target.part === 'passage' && target.heading ? t('articles:writer.again.section', { heading: target.heading }) : t(AGAIN[part])}
      onEscape={busy ? writing.stop : onClose}
    >
      {target.part === 'passage' && !target.heading && (
        <blockquote className="writing-passage" aria-label={t('writing:selected')}>
          {passageText(target.passage)}
        </blockquote>
      )}
      {offersTemplate && (
        <TemplateFields choice={choice} errors={errors} optional={!needsTemplate} disabled={busy} onChange={() => writing.make.reset()} />
      )}
      <RemarkField
        label={needsRemark ? t('articles:writer.remark') : t('articles:writer.remarkOptional')}
        description={t(target.part === 'passage' && target.heading ? 'articles:writer.remarkSection' : HINTS[part])}
        value={remark}
        error={errors.remark}
        disabled={busy}
        autoFocus={!needsTemplate}
        onChange={(next) => {
          setRemark(next)
          if (problem) writing.reset()
        }}
        onStart={() => void start()}
      />
      {wordless && <p className="field-note">{t('articles:writer.noText')}</p>}
      <WritingState writing={writing} problem={problemBesidesFields(problem, errors, ['remark', ...(offersTemplate ? choice.fields : [])])} />
      {busy && last?.text && <NewVersion made={last} language={values.language} />}
      {ready && (
        <>
          <NewVersion made={ready} language={values.language} />
          <MadeBy made={made} />
          {!changes && (
            <p className="writing-why" role="alert">
              {t('articles:writer.moved')}
            </p>
          )}
        </>
      )}
      {!busy && (
        <Group gap="sm">
          {changes && (
            <Button size="xs" data-next onClick={take}>
              {t('articles:writer.take')}
            </Button>
          )}
          <Button
            size="xs"
            variant={changes ? 'default' : 'filled'}
            disabled={held || wordless || (needsTemplate && !choice.order)}
            onClick={() => void start()}
          >
            {t(ready ? 'articles:writer.onceMore' : 'articles:writer.writeAgain')}
          </Button>
          <Button size="xs" variant="default" onClick={onClose}>
            {t(ready ? 'articles:writer.discard' : 'close')}
          </Button>
          {!ready && <span className="writing-cost">
              <WriterNote />
            </span>}
        </Group>
      )}
    </WritingPanel>
  )
}

/** What it would change; nothing where its passage stands in the text no more. */
function changesFor(target: Target, made: WritingOut, { title, content }: Values): Changes | undefined {
  if (target.part === 'passage') {
    const passage = passageNow(target.passage, content)
    return passage && { content: replacePassage(passage, made.text) }
  }
  return target.part === 'revision' ? readRevision(made.text, title) : changesOf(target.part, made)
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
