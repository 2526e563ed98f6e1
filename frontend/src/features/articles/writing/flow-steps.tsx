import { Button, Group, Textarea } from '@mantine/core'
import { IconPlayerStop, IconSparkles } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { ArticlePartInSchema } from '@/api/schemas.gen'
import type { TemplateChoice } from '@/components/template-fields'
import { Step, type StepState } from '@/components/thread'
import { problemBesidesFields } from '@/components/writing-panel'
import { WritingState } from '@/components/writing-state'
import type { AppliedText } from '@/features/articles/editor/use-applied-text'
import { overwritten, sectionsOf } from './article-parts'
import type { FlowProgress, FlowValues } from './flow-progress'
import { MadeBy } from './made-by'
import { NewVersion } from './new-version'
import { OutlineEditor } from './outline-editor'
import type { Flow, StepName } from './use-flow'

export interface FlowStepProps {
  flow: Flow
  choice: TemplateChoice
  applied: AppliedText
  values: FlowValues
  progress: FlowProgress
  /** The errors of the fields, by the name of the field. */
  errors: Record<string, string>
  onStart: (step: StepName) => void
}

const isAtWork = ({ busy, requested }: Flow, step: StepName) => busy && requested?.step === step

function stepState({ flow, progress }: FlowStepProps, step: StepName): StepState {
  const { requested, busy, writing, offer } = flow
  if (requested?.step === step) {
    if (busy) return writing.writing?.next_try_at ? 'retrying' : 'active'
    if (writing.writing?.state === 'failed' || writing.problem || writing.isMissing) return 'failed'
  }
  if (offer?.step === step) return 'waiting'
  return progress.done[step] ? 'done' : 'todo'
}

/** A remark on the outline, for writing it again. */
export interface OutlineRemark {
  isOpen: boolean
  text: string
  open: () => void
  change: (text: string) => void
}

interface OutlineStepProps extends FlowStepProps {
  remark: OutlineRemark
  onContent: (content: string) => void
}

export function OutlineStep({ remark, onContent, ...props }: OutlineStepProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { flow, choice, applied, values, progress } = props
  const isOffered = !isAtWork(flow, 'outline') && !flow.offer
  const mayStart = !progress.done.outline || remark.isOpen
  return (
    <Step state={stepState(props, 'outline')} title={t('articles:writer.steps.outline')}>
      <div className="writing-step">
        {progress.done.outline && (
          <OutlineEditor
            content={values.content}
            disabled={flow.busy}
            onChange={onContent}
            onRemove={(content) => applied.take('removed', { content }, t('articles:writer.removed'))}
          />
        )}
        {isOffered && mayStart && (
          <>
            {remark.isOpen && (
              <Textarea
                size="xs"
                label={t('articles:writer.remark')}
                description={t('articles:writer.remarkOutline')}
                value={remark.text}
                maxLength={ArticlePartInSchema.properties.remark.maxLength}
                autosize
                minRows={2}
                maxRows={6}
                autoFocus
                onChange={(event) => remark.change(event.currentTarget.value)}
              />
            )}
            {overwritten('outline', values).length > 0 && !remark.isOpen && (
              <p className="fine-print">{t('articles:writer.shownFirst')}</p>
            )}
            <StartButton {...props} step="outline" label={t('articles:writer.writeOutline')} isNext={progress.next === 'outline' || remark.isOpen} />
          </>
        )}
        {isOffered && !mayStart && (
          <Button size="xs" variant="default" disabled={flow.busy || !choice.order} onClick={remark.open}>
            {t('articles:writer.otherOutline')}
          </Button>
        )}
        <StepOutcome {...props} step="outline" />
      </div>
    </Step>
  )
}

export function SectionsStep(props: FlowStepProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { flow, values, progress } = props
  const { sections, written, done } = progress
  const heading = sectionsOf(values.content)[flow.requested?.number ?? 0]?.heading.trim() ?? ''
  return (
    <Step
      state={stepState(props, 'sections')}
      title={t('articles:writer.steps.sections')}
      time={sections > 0 && t('articles:writer.sectionsDone', { done: written, count: sections })}
    >
      <div className="writing-step">
        {isAtWork(flow, 'sections') && <p className="writing-now">{t('articles:writer.writesSection', { heading })}</p>}
        {sections > 0 && !isAtWork(flow, 'sections') && !done.sections && (
          <StartButton
            {...props}
            step="sections"
            label={written > 0 ? t('articles:writer.goOn') : t('articles:writer.writeSections')}
            isNext={progress.next === 'sections'}
          />
        )}
        <StepOutcome {...props} step="sections" />
      </div>
    </Step>
  )
}

export function SummaryStep(props: FlowStepProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { flow, progress } = props
  return (
    <Step state={stepState(props, 'summary')} title={t('articles:writer.steps.summary')}>
      <div className="writing-step">
        {!isAtWork(flow, 'summary') && !flow.offer && (
          <StartButton
            {...props}
            step="summary"
            label={t(progress.done.summary ? 'articles:writer.summaryAgain' : 'articles:writer.writeSummary')}
            isNext={progress.next === 'summary'}
          />
        )}
        <StepOutcome {...props} step="summary" />
      </div>
    </Step>
  )
}

/** The title and the description for search results. */
export function SearchStep(props: FlowStepProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { flow, progress } = props
  return (
    <Step state={stepState(props, 'search')} title={t('articles:writer.steps.search')} last>
      <div className="writing-step">
        {!isAtWork(flow, 'search') && !flow.offer && (
          <StartButton
            {...props}
            step="search"
            label={t(progress.done.search ? 'articles:writer.searchAgain' : 'articles:writer.writeSearch')}
            isNext={progress.next === 'search'}
          />
        )}
        <StepOutcome {...props} step="search" />
      </div>
    </Step>
  )
}

interface StartButtonProps extends FlowStepProps {
  step: StepName
  label: string
  isNext: boolean
}

function StartButton({ flow, choice, progress, onStart, step, label, isNext }: StartButtonProps) {
  const writesText = step === 'outline' || step === 'sections'
  const lacks = writesText ? !choice.order : progress.isSkeleton
  return (
    <Button
      size="xs"
      variant={isNext ? 'filled' : 'default'}
      data-next={isNext || undefined}
      leftSection={<IconSparkles size={15} aria-hidden />}
      disabled={flow.busy || lacks}
      onClick={() => onStart(step)}
    >
      {label}
    </Button>
  )
}

/** What the writer is doing for a step, or has done, below that step. */
function StepOutcome({ flow, choice, applied, values, progress, errors, step }: FlowStepProps & { step: StepName }) {
  const { t } = useTranslation(['common', 'articles', 'writing'])
  const { requested, busy, writing, offer } = flow
  return (
    <>
      {requested?.step === step && (
        <WritingState
          writing={{ ...writing, atWork: busy }}
          withoutStop
          problem={problemBesidesFields(writing.problem, errors, choice.fields)}
        />
      )}
      {isAtWork(flow, step) && (
        <Button size="xs" variant="default" leftSection={<IconPlayerStop size={15} aria-hidden />} loading={flow.stopping} onClick={flow.stop}>
          {t('writing:stop')}
        </Button>
      )}
      {offer?.step === step && (
        <>
          <NewVersion writing={offer.writing} language={values.language} />
          <p className="fine-print">
            {step === 'outline' && !progress.isSkeleton ? t('articles:writer.replacesText') : t('articles:writer.replaces')}
          </p>
          <Group gap="sm">
            <Button size="xs" data-next onClick={flow.takeOffer}>
              {t('articles:writer.take')}
            </Button>
            <Button size="xs" variant="default" onClick={flow.discardOffer}>
              {t('articles:writer.discard')}
            </Button>
          </Group>
        </>
      )}
      {!isAtWork(flow, step) && <MadeBy writings={flow.writings[step] ?? []} />}
      {applied.undoable === step && !busy && (
        <Button size="compact-xs" variant="subtle" className="writing-back" onClick={applied.undo}>
          {t('articles:writer.back')}
        </Button>
      )}
    </>
  )
}
