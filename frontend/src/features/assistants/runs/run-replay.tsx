import { Button } from '@mantine/core'
import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { RunEvidenceOut } from '@/api/types.gen'
import { waitsForSlot } from '@/components/delivery-status'
import { Step, Thread, type StepState } from '@/components/thread'
import { useFormat } from '@/i18n/use-format'
import { assistantPath, madePath } from '@/features/assistants/links'
import { contentKindOf } from '@/lib/content-kind'
import { showsStrands } from '@/features/assistants/live/live-view'
import { DeliveryEvidence, StepEvidence } from './run-evidence'
import { DeliveryStrands, RunSteps } from './run-thread'
import { answeredAt, asDetail, failedAt, latenessText, waitedFor, waitedForAnswer } from './run-view'
import { keepsSlot, publishTimeOf } from './run-state'
import { useReplay } from './use-replay'
import { runReasonText } from './run-reason'

/** The timeline of a finished run; a button replays it. */
export function RunReplay({ run }: { run: RunEvidenceOut }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const { playing, possible, moment, shown, toggle } = useReplay(run)
  return (
    <section className="run-replay" aria-label={t('runs:thread')}>
      {possible && (
        <div className="run-controls">
          <Button
            size="xs"
            variant="default"
            leftSection={playing ? <IconPlayerStop size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
            onClick={toggle}
          >
            {t(playing ? 'runs:stop' : 'runs:replay')}
          </Button>
          <span className="num dim">
            {moment === undefined ? t('runs:replayHint') : format.seconds(new Date(moment))}
          </span>
        </div>
      )}
      <RunStory run={shown} fullRun={run} playing={playing} />
    </section>
  )
}

interface RunStoryProps {
  run: RunEvidenceOut
  /** The complete run; during a replay, `run` has only the events so far. */
  fullRun: RunEvidenceOut
  playing: boolean
}

function RunStory({ run, fullRun, playing }: RunStoryProps) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const detail = asDetail(run)
  const slotTime = new Date(run.slot) // a fixed time: nothing counts down in a finished run
  const waited = playing ? null : waitedFor(run)
  const hasStarted = fullRun.mode !== null && run.state !== 'missed'
  return (
    <Thread>
      {(hasStarted || run.steps.length > 0) && (
        <RunSteps
          run={detail}
          withImage={run.wants_image}
          now={slotTime}
          failedAt={failedAt(run)}
          more={(kind) => <StepEvidence run={run} kind={kind} />}
        />
      )}
      <AnswerStep run={run} />
      {waited !== null && keepsSlot(run) && (
        <Step
          state="done"
          title={t('runs:waited', { time: format.duration(waited) })}
          time={format.seconds(run.slot)}
        />
      )}
      {!playing && run.published_at && run.moved && <MovedStep run={run} />}
      {playing && keepsSlot(run) && run.state === 'ready' && run.deliveries.length > 0 && (
        <Step state="active" title={t('runs:live.waitSlot', { when: format.atMoment(run.slot, new Date(run.slot)) })} />
      )}
      {showsStrands(detail) && run.state !== 'preparing' && (
        <DeliveryStrands
          run={detail}
          now={slotTime}
          reached={!run.deliveries.every(waitsForSlot)}
          more={(delivery) => <DeliveryEvidence run={run} deliveryId={delivery.id} />}
        />
      )}
      <Ending run={run} playing={playing} />
    </Thread>
  )
}

/** The answer to the question whether the post may be published, and that a person has edited its text. */
function AnswerStep({ run }: { run: RunEvidenceOut }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const { approval, by_link, edited } = run
  const at = answeredAt(run)
  if (!approval || at === null) return edited && <Step state="done" title={t('runs:answer.edited')} />
  const waited = waitedForAnswer(run)
  const answer = approval.state === 'declined' ? 'declined' : 'approved'
  const title = approval.by_deadline
    ? t('runs:answer.approvedByDeadline', { when: format.dayAndTime(approval.deadline_at) })
    : t(by_link ? `runs:answer.${answer}ByLink` : `runs:answer.${answer}`, { when: format.atMoment(at) })
  return (
    <Step state="done" title={title} time={format.seconds(at)}>
      {waited !== null && <div className="dim">{t('runs:answer.waited', { time: format.duration(waited) })}</div>}
      {edited && <div className="dim">{t('runs:answer.edited')}</div>}
      {answer === 'declined' && approval.remark && <div className="dim">{approval.remark}</div>}
    </Step>
  )
}

/** Says that a person chose another time than the slot. */
function MovedStep({ run }: { run: RunEvidenceOut }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const at = publishTimeOf(run)
  const key = Date.parse(at) < Date.parse(run.slot) ? 'publishedAhead' : 'publishedLater'
  return (
    <Step state="done" title={t(`runs:${key}.${contentKindOf(run)}`, { slot: format.dayAndTime(run.slot) })} time={format.seconds(at)}>
      <span className="dim">{format.dayAndTime(at)}</span>
    </Step>
  )
}

const ENDINGS: Partial<Record<RunEvidenceOut['state'], StepState>> = {
  published: 'done',
  drafted: 'done',
  unknown: 'waiting',
  held: 'waiting',
  failed: 'failed',
  missed: 'failed',
  skipped: 'todo',
}

/** How and why the run ended, and a link to its post. */
function Ending({ run, playing }: { run: RunEvidenceOut; playing: boolean }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  if (playing) return <Step last state="todo" title={t('runs:goesOn')} />
  const count = run.deliveries.filter(({ state }) => state === 'published').length
  const result = count > 0 && run.state === 'published' && !run.is_article ? t('runs:live.result.published', { count }) : t(`runs:ended.${run.state}`)
  // for a missed run it is only when that was noticed
  const at = run.published_at ?? (run.state === 'missed' ? null : run.finished_at)
  return (
    <Step
      last
      state={ENDINGS[run.state] ?? 'todo'}
      title={result.charAt(0).toLocaleUpperCase() + result.slice(1)}
      time={at ? format.seconds(at) : undefined}
    >
      {run.reason && run.state !== 'published' && <div>{runReasonText(t, run)}</div>}
      {run.lateness_ms !== null && (
        <div className="dim">{t('runs:afterSlot', { time: latenessText(format, run.lateness_ms) })}</div>
      )}
      {run.post_id ? (
        <div>
          <Link className="link" to={madePath({ ...run, post_id: run.post_id })}>
            {t(`runs:live.openPost.${contentKindOf(run)}`)}
          </Link>
        </div>
      ) : (
        !(run.state in ENDINGS) && (
          <div>
            <Link className="link" to={assistantPath(run.assistant_id)}>
              {t('runs:toLive')}
            </Link>
          </div>
        )
      )}
    </Step>
  )
}
