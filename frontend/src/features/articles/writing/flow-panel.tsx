import { ActionIcon, Button, Group, Textarea } from '@mantine/core'
import { IconPlayerStop, IconSparkles, IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateChoice } from '@/components/template-fields'
import { TemplateFields } from '@/components/template-fields'
import { Step, Thread, type StepState } from '@/components/thread'
import { WriterNote } from '@/components/writer-note'
import { WritingState } from '@/components/writing-state'
import { fieldErrors } from '@/lib/problems'
import { isSkeleton, nextToWrite, overwritten, sectionsOf, sectionText } from './article-parts'
import type { Values } from '@/features/articles/editor/article-values'
import { MadeBy } from './made-by'
import { NewVersion } from './new-version'
import { OutlineEditor } from './outline-editor'
import { onPanelKey, problemBesidesFields } from './panel-keys'
import type { Flow, StepName } from './use-flow'
import type { AppliedText } from '@/features/articles/editor/use-applied-text'

const MOST_REMARK = 1000 // characters

interface FlowPanelProps {
  flow: Flow
  choice: TemplateChoice
  taking: AppliedText
  values: Pick<Values, 'title' | 'content' | 'summary' | 'seo_title' | 'seo_description' | 'language'>
  onContent: (content: string) => void
  onClose: () => void
}

/** An article by a template: its outline, its sections, its summary, and what is told of it in search results. */
export function FlowPanel({ flow, choice, taking, values, onContent, onClose }: FlowPanelProps) {
  const { t } = useTranslation(['common', 'articles', 'errors', 'writing'])
  const title = useId()
  const panel = useRef<HTMLElement>(null)
  const [remark, setRemark] = useState('')
  const [again, setAgain] = useState(false)
  const [brief, setBrief] = useState(false)
  const { asked, busy, writing, offer } = flow
  const { problem } = writing
  const errors = problem ? fieldErrors(t, problem) : {}
  const sections = sectionsOf(values.content)
  const headed = sections.filter(({ heading }) => heading.trim() !== '')
  const written = headed.filter((section) => sectionText(values.content, section) !== '').length
  const left = nextToWrite(values.content)
  const done: Record<StepName, boolean> = {
    outline: headed.length > 0,
    sections: headed.length > 0 && left === undefined,
    summary: values.summary.trim() !== '',
    search: (values.seo_title + values.seo_description).trim() !== '',
  }
  const wordless = isSkeleton(values.content)
  const askOutline = !done.outline || again
  const { topic } = choice
  // values that are missing are asked for, and stay in sight while they are typed
  if (!choice.complete && !brief && !busy) setBrief(true)
  // once there is an outline, what it was made by takes no room any more
  const showsBrief = brief || !choice.order || !done.outline || choice.fields.some((field) => field in errors)

  useEffect(() => {
    if (problem && !busy) panel.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [problem, busy])
  // where there is nothing to fill in, the next step has the focus
  useEffect(() => {
    const { current } = panel
    if (current && !current.contains(document.activeElement))
      (current.querySelector<HTMLElement>('[data-next]:not(:disabled)') ?? current.querySelector<HTMLElement>('.writing-head button'))?.focus()
  }, [])
  useEffect(() => {
    if (busy) panel.current?.querySelector('[data-state="active"]')?.scrollIntoView({ block: 'nearest' })
  }, [busy])
  // what had the focus is gone while it is written: the way on is the next step
  const wasBusy = useRef(busy)
  useEffect(() => {
    if (wasBusy.current && !busy && !document.activeElement?.closest('input, textarea, [contenteditable]'))
      panel.current?.querySelector<HTMLElement>('[data-next]')?.focus()
    wasBusy.current = busy
  }, [busy])

  const begin = (step: StepName) => {
    flow.start(step, step === 'outline' ? remark.trim() : '')
    setAgain(false)
    setBrief(false)
    setRemark('')
  }
  const stateOf = (step: StepName): StepState => {
    if (asked?.step === step) {
      if (busy) return writing.writing?.next_try_at ? 'retrying' : 'active'
      if (writing.writing?.state === 'failed' || problem || writing.gone) return 'failed'
    }
    if (offer?.step === step) return 'waiting'
    return done[step] ? 'done' : 'todo'
  }
  /** What is under way, or what came of it, below its step. */
  const cameOf = (step: StepName) => (
    <>
      {asked?.step === step && <WritingState writing={{ ...writing, atWork: busy }} withoutStop problem={problemBesidesFields(problem, errors, choice.fields)} />}
      {asked?.step === step && busy && (
        <Button size="xs" variant="default" leftSection={<IconPlayerStop size={15} aria-hidden />} loading={flow.stopping} onClick={flow.stop}>
          {t('writing:stop')}
        </Button>
      )}
      {offer?.step === step && (
        <>
          <NewVersion made={offer.writing} language={values.language} />
          <p className="fine-print">
            {step === 'outline' && !wordless ? t('articles:writer.replacesText') : t('articles:writer.replaces')}
          </p>
          <Group gap="sm">
            <Button size="xs" data-next onClick={flow.takeOffer}>
              {t('articles:writer.take')}
            </Button>
            <Button size="xs" variant="default" onClick={flow.discard}>
              {t('articles:writer.discard')}
            </Button>
          </Group>
        </>
      )}
      {!(busy && asked?.step === step) && <MadeBy made={flow.made[step] ?? []} />}
      {taking.standing === step && !busy && (
        <Button size="compact-xs" variant="subtle" className="writing-back" onClick={taking.back}>
          {t('articles:writer.back')}
        </Button>
      )}
    </>
  )
  const order = (step: StepName, label: string, primary: boolean) => (
    <Button
      size="xs"
      variant={primary ? 'filled' : 'default'}
      data-next={primary || undefined}
      leftSection={<IconSparkles size={15} aria-hidden />}
      disabled={busy || (!choice.order && (step === 'outline' || step === 'sections')) || (wordless && step !== 'outline' && step !== 'sections')}
      onClick={() => begin(step)}
    >
      {label}
    </Button>
  )
  const isAtWork = (step: StepName) => busy && asked?.step === step
  const first = (['outline', 'sections', 'summary', 'search'] as const).find((step) => !done[step])

  return (
    <section
      ref={panel}
      className="panel writing-flow"
      role="group"
      aria-labelledby={title}
      data-busy={busy || undefined}
      onKeyDown={(event) => onPanelKey(event, onClose)}
    >
      <div className="writing-head">
        <h2 id={title}>{t('articles:writer.flowTitle')}</h2>
        <ActionIcon size={32} aria-label={t('close')} onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      {showsBrief ? (
        <div className="writing-by">
          <TemplateFields choice={choice} errors={errors} disabled={busy} onChange={flow.forgive} />
          <p className="writing-cost">
            <WriterNote />
          </p>
        </div>
      ) : (
        <p className="writing-brief">
          <span className="grow">
            <b>{choice.template?.name}</b> {topic}
          </span>
          <Button size="compact-sm" variant="subtle" disabled={busy} onClick={() => setBrief(true)}>
            {t('articles:writer.changeBrief')}
          </Button>
        </p>
      )}
      <Thread>
        <Step state={stateOf('outline')} title={t('articles:writer.steps.outline')}>
          <div className="writing-step">
            {done.outline && (
              <OutlineEditor
                content={values.content}
                disabled={busy}
                onChange={onContent}
                onRemove={(content) => taking.take('removed', { content }, t('articles:writer.removed'))}
              />
            )}
            {!isAtWork('outline') && !offer && askOutline && (
              <>
                {again && (
                  <Textarea
                    size="xs"
                    label={t('articles:writer.remark')}
                    description={t('articles:writer.remarkOutline')}
                    value={remark}
                    maxLength={MOST_REMARK}
                    autosize
                    minRows={2}
                    maxRows={6}
                    autoFocus
                    onChange={(event) => setRemark(event.currentTarget.value)}
                  />
                )}
                {overwritten('outline', values).length > 0 && !again && <p className="fine-print">{t('articles:writer.shownFirst')}</p>}
                {order('outline', t('articles:writer.writeOutline'), first === 'outline' || again)}
              </>
            )}
            {!isAtWork('outline') && !offer && !askOutline && (
              <Button size="xs" variant="default" disabled={busy || !choice.order} onClick={() => setAgain(true)}>
                {t('articles:writer.otherOutline')}
              </Button>
            )}
            {cameOf('outline')}
          </div>
        </Step>
        <Step
          state={stateOf('sections')}
          title={t('articles:writer.steps.sections')}
          time={headed.length > 0 && t('articles:writer.sectionsDone', { done: written, count: headed.length })}
        >
          <div className="writing-step">
            {isAtWork('sections') && (
              <p className="writing-now">{t('articles:writer.writesSection', { heading: headingAt(asked?.number, sections) })}</p>
            )}
            {headed.length > 0 &&
              !isAtWork('sections') &&
              left !== undefined &&
              order('sections', written > 0 ? t('articles:writer.goOn') : t('articles:writer.writeSections'), first === 'sections')}
            {cameOf('sections')}
          </div>
        </Step>
        <Step state={stateOf('summary')} title={t('articles:writer.steps.summary')}>
          <div className="writing-step">
            {!isAtWork('summary') &&
              !offer &&
              order('summary', t(done.summary ? 'articles:writer.summaryAgain' : 'articles:writer.writeSummary'), first === 'summary')}
            {cameOf('summary')}
          </div>
        </Step>
        <Step state={stateOf('search')} title={t('articles:writer.steps.search')} last>
          <div className="writing-step">
            {!isAtWork('search') &&
              !offer &&
              order('search', t(done.search ? 'articles:writer.searchAgain' : 'articles:writer.writeSearch'), first === 'search')}
            {cameOf('search')}
          </div>
        </Step>
      </Thread>
    </section>
  )
}

const headingAt = (number: number | undefined, sections: { heading: string }[]) => sections[number ?? 0]?.heading.trim() ?? ''
