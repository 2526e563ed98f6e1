import { Title } from '@mantine/core'
import { Link } from 'react-router'
import type { AssistantLiveOut } from '@/api/types.gen'
import { placeOf } from '@/components/channel'
import { heldText } from '@/components/held-text'
import type { Format } from '@/i18n/format'
import type { TFunction } from '@/i18n/translate'
import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { until } from '@/lib/clock'
import { paths } from '@/lib/paths'
import { retryText } from '@/lib/problems'
import { ClockFace } from './clock-face'
import { pauseText } from './pause-text'
import { goesOutAt } from './run-state'
import { moodOf, nextRetry, openRun, published, runSteps, sectionOf, type Mood, type RunStep } from './live-view'
import { writtenBy, writtenIn } from '@/lib/written'

interface LiveHeadProps {
  live: AssistantLiveOut
  now: Date
  /** Since when the picture stands still; null while it follows the server. */
  staleSince: Date | string | null
}

/** What the assistant is doing, in one sentence, and the clock of what comes next. */
export function LiveHead({ live, now, staleSince }: LiveHeadProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const mood = moodOf(live)
  const { accounts, mode } = live.assistant
  // nothing that it is to write can go anywhere
  const isShutOut = mood === 'asleep' && mode !== 'draft' && accounts.length > 0 && accounts.every(({ state }) => state !== 'connected')
  return (
    <div className="live-head" data-state={mood}>
      <div className="grow" aria-live="polite">
        <div className="live-kicker">
          {t(`liveRun.mood.${mood}`)}
          {staleSince && (
            <span className="dim"> · {t('liveRun.asOf', { time: format.momentInSentence(staleSince, now) })}</span>
          )}
        </div>
        <Title order={2}>{sentence(t, format, live, mood, now)}</Title>
        {(isShutOut || (mood === 'retrying' && retryOf(live)?.code === 'delivery_needs_reconnect')) && (
          <p className="live-remedy">
            {/* what is tried again has it as its headline */}
            {isShutOut && `${retryText(t, 'delivery_needs_reconnect', writtenBy(live.assistant))} `}
            <Link className="link" to={live.assistant.website ? paths.websites : paths.account}>
              {t(`posts.reconnect.${writtenBy(live.assistant)}`)}
            </Link>
          </p>
        )}
        {live.assistant.pause?.reason === 'subscription_ended' && (
          <p className="live-remedy">
            {/* a run that is prepared still goes its way, and is what the headline is about */}
            {mood !== 'paused' && `${pauseText(t, format, live.assistant.pause, now, writtenBy(live.assistant))} `}
            {t('liveRun.pausedUnsubscribed')}{' '}
            <Link className="link" to={paths.subscription}>
              {t('remedies.subscription')}
            </Link>
          </p>
        )}
      </div>
      <LiveClock live={live} mood={mood} now={now} />
    </div>
  )
}

function retryOf(live: AssistantLiveOut) {
  const open = openRun(live)
  return open ? nextRetry(open) : undefined
}

/** What it is doing, in words. */
export function sentence(t: TFunction, format: Format, live: AssistantLiveOut, mood: Mood, now: Date): string {
  const { assistant, run } = live
  const open = openRun(live)
  const written = run ? writtenIn(open ?? run) : writtenBy(assistant)
  const at = run ? goesOutAt(run) : live.now
  const time = format.momentInSentence(at, now)
  switch (mood) {
    case 'unknown': {
      const unclear = run?.deliveries.find(({ state }) => state === 'unknown')
      return t(`liveRun.unknown.${written}`, { channel: unclear ? placeOf(unclear) : '' })
    }
    case 'held': {
      const held = run?.deliveries.find(({ state }) => state === 'held')
      return (held && heldText(t, format.dayAndTime, held)) ?? ''
    }
    case 'publishing': {
      if (written === 'article') return t('liveRun.publishingAt')
      const count = run?.deliveries.length ?? 0
      const done = published(run?.deliveries ?? [])
      return t(done === 1 ? 'liveRun.publishingFirst' : 'liveRun.publishing', { done, count })
    }
    case 'waiting': {
      const approval = open?.approval
      if (!approval) return t(`liveRun.ready.${written}`, { time })
      const deadline = format.momentInSentence(approval.deadline_at, now)
      const isTheSame = format.dayAndTime(at, now) === format.dayAndTime(approval.deadline_at, now)
      const waits = isTheSame ? (`liveRun.waitsForApprovalTill.${written}` as const) : (`liveRun.waitsForApproval.${written}` as const)
      const asks = approval.at_once ? (`liveRun.waitsToGoAtOnce.${written}` as const) : waits
      return t(approval.at_deadline === 'publish' ? `liveRun.waitsForVeto.${written}` : asks, {
        time,
        when: format.atMoment(at, now),
        deadline,
      })
    }
    case 'ready':
      return t(`liveRun.ready.${written}`, { time })
    case 'retrying': {
      const retry = retryOf(live)
      return retry ? retryText(t, retry.code, written) : t('liveRun.retrying')
    }
    case 'preparing': {
      // in the moment between two steps, the next one
      const steps = open ? runSteps(open, assistant.image_source !== 'none') : []
      const step = steps.find(({ state }) => state === 'active') ?? steps.find(({ state }) => state !== 'done')
      return step && written === 'article' ? articleText(t, step, time) : t(`liveRun.preparing.post.${postStep(step)}`, { time })
    }
    case 'asleep': {
      const slot = assistant.status.next_slot
      if (!slot) return t(`liveRun.asleepOpen.${writtenBy(assistant)}`)
      const when = { day: format.dayInSentence(slot, now), time: format.timeInSentence(slot) }
      return t(assistant.mode === 'draft' ? 'liveRun.asleepDraft' : `liveRun.asleep.${writtenBy(assistant)}`, when)
    }
    case 'paused':
      return pauseText(t, format, assistant.pause, now, writtenBy(assistant))
    case 'resuming':
      return t('liveRun.resuming')
    case 'inactive': {
      const count = assistant.missing.length
      return count > 0 ? t('liveRun.inactiveMissing', { count }) : t('liveRun.inactive')
    }
    case 'activating':
      return t('liveRun.activating')
    case 'planning_failed':
      return t('liveRun.planningFailed')
    case 'finished':
      return t('liveRun.finished')
  }
}

function articleText(t: TFunction, { kind, step }: RunStep, time: string): string {
  const section = step && sectionOf(step.facts)
  return kind === 'text' && section ? t('liveRun.preparing.section', { ...section, time }) : t(`liveRun.preparing.article.${kind}`, { time })
}

/** A post has no outline, and nothing of its own beside its text. */
function postStep(step: RunStep | undefined): 'topic' | 'text' | 'image' | 'check' {
  const kind = step?.kind ?? 'check'
  return kind === 'outline' || kind === 'summary' || kind === 'search' ? 'text' : kind
}

function LiveClock({ live, mood, now }: { live: AssistantLiveOut; mood: Mood; now: Date }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status } = live.assistant
  const run = openRun(live)
  if (mood === 'asleep' && status.next_start) {
    const caption = t('liveRun.untilPrepare', { when: format.atMoment(status.next_start, now) })
    return <ClockFace time={until(status.next_start, now)} caption={caption} />
  }
  if (mood === 'paused' && live.assistant.pause?.until) {
    const end = live.assistant.pause.until
    return <ClockFace time={until(end, now)} caption={t('liveRun.untilResume', { when: format.atMoment(end, now) })} />
  }
  if (mood === 'planning_failed' && status.retry_at) {
    return <ClockFace time={until(status.retry_at, now)} caption={t('liveRun.untilTry')} />
  }
  if (mood === 'retrying' && run) {
    const next = nextRetry(run)?.next_try_at
    if (next) return <ClockFace time={until(next, now)} caption={t('liveRun.untilTry')} />
  }
  if (!run) return null
  if (mood === 'waiting' && run.approval) {
    return <ClockFace time={Math.max(0, until(run.approval.deadline_at, now))} caption={t('liveRun.untilDeadline')} />
  }
  const left = until(goesOutAt(run), now)
  const when = format.atMoment(goesOutAt(run), now)
  if (left > 0) return <ClockFace time={left} caption={t('liveRun.untilSlot', { when })} />
  return <ClockFace up time={-left} caption={t('liveRun.sinceSlot', { when })} />
}
