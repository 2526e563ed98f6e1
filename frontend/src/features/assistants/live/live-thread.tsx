import { IconHelpHexagon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import type { AssistantLiveOut, AssistantOut, RunDetail, RunOut } from '@/api/types.gen'
import { waitsForSlot } from '@/components/delivery-status'
import { lazyPart } from '@/components/lazy-part'
import { withRemedy } from '@/components/problem-text'
import { Step, Thread, type StepState } from '@/components/thread'
import { sentenceStart, type Format } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { millisecondsUntil } from '@/lib/clock'
import { reasonText } from '@/lib/problems'
import { costText } from '@/features/assistants/cost-text'
import { assistantPath, madePath, postPath } from '@/features/assistants/links'
import { publishTimeOf } from '@/features/assistants/runs/run-state'
import { openRun, runSteps, showsStrands } from './live-view'
import { DeliveryStrands, RunSteps } from '@/features/assistants/runs/run-thread'
import { runReasonText } from '@/features/assistants/runs/run-reason'
import { contentKindOfAssistant, contentKindOf, type ContentKind } from '@/lib/content-kind'

/** Loaded only if a post waits for approval. */
const ApprovalQuestion = lazyPart(
  async () => (await import('@/components/approval-question')).ApprovalQuestion,
)

interface LiveThreadProps {
  live: AssistantLiveOut
  now: Date
}

/** The current run step by step; between runs, the last result and the next run. */
export function LiveThread({ live, now }: LiveThreadProps) {
  const run = openRun(live)
  const unclear = live.run?.deliveries.some(({ state }) => state === 'unknown') ? live.run : null
  const shown = run ?? unclear
  return (
    <>
      <EarlierUnclear posts={live.earlier_unclear} written={contentKindOfAssistant(live.assistant)} />
      <Thread>{shown ? <RunThread live={live} run={shown} now={now} /> : <RestThread live={live} now={now} />}</Thread>
    </>
  )
}

/** A link to the unclear posts of earlier runs, which the user can still settle. */
function EarlierUnclear({ posts: [newest, ...rest], written }: { posts: string[]; written: ContentKind }) {
  const { t } = useTranslation(['common', 'runs'])
  if (!newest) return null
  return (
    <p className="earlier-unclear">
      <IconHelpHexagon size={16} stroke={1.9} aria-hidden />
      <span>{t(`runs:live.earlierUnclear.${written}`, { count: rest.length + 1 })}</span>
      <Link className="link" to={postPath(newest)}>
        {t('runs:live.earlierLook')}
      </Link>
    </p>
  )
}

function RunThread({ live, run, now }: LiveThreadProps & { run: RunDetail }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const { assistant } = live
  const withImage = assistant.image_source !== 'none'
  const prepared = runSteps(run, withImage).every(({ state }) => state === 'done')
  const hasStarted = run.state !== 'preparing' && showsStrands(run)
  const planned = publishTimeOf(run)
  const slotPassed = millisecondsUntil(planned, now) <= 0
  const moved =
    planned !== run.slot &&
    t('runs:live.waitMoved', { time: format.momentInSentence(planned, now), slot: format.momentInSentence(run.slot, now) })
  return (
    <>
      <RunSteps run={run} withImage={withImage} now={now} />
      {run.state === 'waiting' && run.approval && run.content_hash && run.post_id && (
        <Step state="waiting" title={t('runs:live.stepApproval')} time={format.seconds(run.approval.deadline_at)}>
          <ApprovalQuestion
            postId={run.post_id}
            name={run.topic_title ?? ''}
            contentHash={run.content_hash}
            approval={run.approval}
            plannedAt={planned}
          />
        </Step>
      )}
      {run.state !== 'preparing' && run.state !== 'waiting' && prepared && !slotPassed && (
        <Step state="active" title={moved || t('runs:live.waitSlot', { when: format.atMoment(planned, now) })} time={format.seconds(planned)}>
          <span className="dim">{t('runs:live.waitSlotMore')}</span>
        </Step>
      )}
      {hasStarted ? (
        <DeliveryStrands run={run} now={now} reached={!run.deliveries.every(waitsForSlot) || slotPassed} />
      ) : (
        <Step
          state="todo"
          title={assistant.mode === 'draft' ? t('runs:live.keepDraft') : publishText(t, assistant)}
          time={assistant.mode === 'draft' ? undefined : format.time(planned)}
        />
      )}
      <Step last state="todo" title={thenText(t, format, live, run, now)} />
    </>
  )
}

function sleepText(t: TFunction<['common', 'runs']>, format: Format, start: string, now: Date): string {
  const time = format.timeInSentence(start)
  if (format.day(start) === format.day(now)) return t('runs:live.sleepingToday', { time })
  return t('runs:live.sleeping', { day: format.dayInSentence(start, now), time })
}

const publishText = (t: TFunction<['common', 'runs']>, { website, accounts }: AssistantOut) =>
  website ? t('runs:live.publishAt', { name: website.name }) : t('runs:live.publish', { count: accounts.length })

function thenText(t: TFunction<['common', 'runs']>, format: Format, live: AssistantLiveOut, run: RunDetail, now: Date): string {
  // the next date, prepared or not: the workflow has no plan of those in preparation
  const slot = live.occurrences.find((candidate) => !candidate.passed_over && Date.parse(candidate.slot) > Date.parse(run.slot))?.slot
  if (live.assistant.pause) return t('runs:live.thenPaused')
  if (!live.assistant.active || !slot || millisecondsUntil(slot, now) <= 0) return t('runs:live.thenDone')
  const time = format.timeInSentence(slot)
  if (format.day(slot) === format.day(now)) return t(`runs:live.thenSleep.${contentKindOfAssistant(live.assistant)}`, { time })
  return t(`runs:live.thenSleepDay.${contentKindOfAssistant(live.assistant)}`, { day: format.dayInSentence(slot, now), time })
}

/** Between runs. */
function RestThread({ live: { assistant, run }, now }: LiveThreadProps) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const { status } = assistant
  const planningFailed = assistant.active && !assistant.pause && status.phase === 'planning_failed'
  const { pause } = assistant
  const asleep = assistant.active && !pause && status.phase === 'asleep' && status.next_start && status.next_slot
  return (
    <>
      {run ? <LastResult run={run} now={now} /> : !asleep && <Step state="todo" title={t('runs:live.nothingYet')} />}
      {asleep ? (
        <>
          <Step
            state="active"
            title={sleepText(t, format, status.next_start ?? '', now)}
            time={format.duration(Math.max(0, millisecondsUntil(status.next_start ?? '', now)))}
          >
            <span className="dim">{run ? t('runs:live.waitSlotMore') : t('runs:live.nothingYetMore')}</span>
          </Step>
          <Step
            state="todo"
            title={t(assistant.image_source !== 'none' ? `runs:live.prepareImage.${contentKindOfAssistant(assistant)}` : `runs:live.prepare.${contentKindOfAssistant(assistant)}`)}
            time={format.time(status.next_start ?? '')}
          />
          <Step
            last
            state="todo"
            title={
              assistant.mode === 'draft' ? t('runs:live.keepDraft') : publishText(t, assistant)
            }
            time={format.time(status.next_slot ?? '')}
          />
        </>
      ) : (
        <Step last state={restState()} title={restText()}>
          {planningFailed && status.reason && <PlanningFailed assistantId={assistant.id} reason={status.reason} />}
        </Step>
      )}
    </>
  )

  function restState() {
    if (planningFailed) return 'retrying'
    return assistant.active && !pause && status.phase !== 'finished' ? 'active' : 'todo'
  }

  function restText() {
    if (!assistant.active) return t('runs:live.inactiveStep')
    if (pause?.reason) return t('runs:live.pausedItselfStep')
    if (pause?.until) return t('runs:live.pausedUntilStep', { when: format.atMoment(pause.until, now) })
    if (pause) return t('runs:live.pausedStep')
    if (planningFailed) return t('runs:live.planningFailedStep', { time: format.timeInSentence(status.retry_at ?? now) })
    return status.phase === 'finished' ? t('runs:live.finishedStep') : t('runs:live.activatingStep')
  }
}

/** Why planning failed, and a link to the setting that fixes it. */
function PlanningFailed({ assistantId, reason }: { assistantId: string; reason: string }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  if (reason !== 'invalid_input') return reasonText(t, reason)
  return (
    <>
      {t('runs:live.planningInvalid')}{' '}
      <Link className="link" to={assistantPath(assistantId, 'configuration')}>
        {t('runs:live.planningMend')}
      </Link>
    </>
  )
}

/** The texts of runs without a post that are not failures. */
const NOT_OUT: Partial<Record<RunOut['state'], StepState>> = {
  failed: 'failed',
  missed: 'failed',
  held: 'waiting',
  skipped: 'todo',
}

function LastResult({ run, now }: { run: RunDetail; now: Date }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  const ending = NOT_OUT[run.state]
  return (
    <Step
      state={ending ?? 'done'}
      title={t('runs:live.lastRun', {
        day: sentenceStart(format.dayInSentence(run.slot, now)),
        time: format.timeInSentence(run.slot),
        result: resultText(t, run),
      })}
      time={run.finished_at ? format.time(run.finished_at) : undefined}
    >
      <span className="dim">{[run.topic_title, ...costText(t, format, run)].filter(Boolean).join(' · ')}</span>
      {(ending || run.state === 'drafted') && run.reason && <div>
          {withRemedy(run.reason, runReasonText(t, run))}
        </div>}
      {run.post_id && (
        <div>
          <Link className="link" to={madePath({ ...run, post_id: run.post_id })}>
            {t(`runs:live.openPost.${contentKindOf(run)}`)}
          </Link>
        </div>
      )}
    </Step>
  )
}

function resultText(t: TFunction<['common', 'runs']>, run: RunDetail & RunOut): string {
  if (run.state !== 'published') return t(`runs:live.result.${run.state}`)
  const count = run.deliveries.filter(({ state }) => state === 'published').length
  return count > 0 && !run.is_article ? t('runs:live.result.published', { count }) : t('runs:live.result.publishedPlain')
}
