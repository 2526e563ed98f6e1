import { Title } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { Link } from 'react-router'
import type { AssistantLiveOut } from '@/api/types.gen'
import { placeOf } from '@/components/channel'
import { heldText } from '@/components/held-text'
import type { Format } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { millisecondsUntil } from '@/lib/clock'
import { paths } from '@/lib/paths'
import { retryText } from '@/lib/problems'
import { ClockFace } from './clock-face'
import { pauseText } from './pause-text'
import { publishTimeOf } from '@/features/assistants/runs/run-state'
import { moodOf, nextRetry, openRun, published, runSteps, sectionOf, type Mood, type RunStep } from './live-view'
import { contentKindOfAssistant, contentKindOf } from '@/lib/content-kind'

interface LiveHeadProps {
  live: AssistantLiveOut
  now: Date
  /** Since when the page is outdated; null while it is live. */
  staleSince: Date | string | null
}

/** What the assistant is doing, and a clock for the next event. */
export function LiveHead({ live, now, staleSince }: LiveHeadProps) {
  const { t } = useTranslation(['common', 'errors', 'posts', 'runs'])
  const format = useFormat()
  const mood = moodOf(live)
  const { accounts, mode } = live.assistant
  // it can't publish anything
  const isShutOut = mood === 'asleep' && mode !== 'draft' && accounts.length > 0 && accounts.every(({ state }) => state !== 'connected')
  return (
    <div className="live-head" data-state={mood}>
      <div className="grow" aria-live="polite">
        <div className="live-kicker">
          {t(`runs:live.mood.${mood}`)}
          {staleSince && (
            <span className="dim"> · {t('runs:live.asOf', { time: format.momentInSentence(staleSince, now) })}</span>
          )}
        </div>
        <Title order={2}>{sentence(t, format, live, mood, now)}</Title>
        {(isShutOut || (mood === 'retrying' && retryOf(live)?.code === 'delivery_needs_reconnect')) && (
          <p className="live-remedy">
            {/* what is tried again has it as its headline */}
            {isShutOut && `${retryText(t, 'delivery_needs_reconnect', contentKindOfAssistant(live.assistant))} `}
            <Link className="link" to={live.assistant.website ? paths.websites : paths.account}>
              {t(`posts:reconnect.${contentKindOfAssistant(live.assistant)}`)}
            </Link>
          </p>
        )}
        {live.assistant.pause?.reason === 'subscription_ended' && (
          <p className="live-remedy">
            {/* a run that is prepared still goes its way, and is what the headline is about */}
            {mood !== 'paused' && `${pauseText(t, format, live.assistant.pause, now, contentKindOfAssistant(live.assistant))} `}
            {t('runs:live.pausedUnsubscribed')}{' '}
            <Link className="link" to={paths.subscription}>
              {t('errors:remedies.subscription')}
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

/** Return what the assistant is doing as a sentence. */
export function sentence(t: TFunction<['common', 'errors', 'posts', 'runs']>, format: Format, live: AssistantLiveOut, mood: Mood, now: Date): string {
  const { assistant, run } = live
  const open = openRun(live)
  const written = run ? contentKindOf(open ?? run) : contentKindOfAssistant(assistant)
  const at = run ? publishTimeOf(run) : live.now
  const time = format.momentInSentence(at, now)
  switch (mood) {
    case 'unknown': {
      const unclear = run?.deliveries.find(({ state }) => state === 'unknown')
      return t(`runs:live.unknown.${written}`, { channel: unclear ? placeOf(unclear) : '' })
    }
    case 'held': {
      const held = run?.deliveries.find(({ state }) => state === 'held')
      return (held && heldText(t, format.dayAndTime, held)) ?? ''
    }
    case 'publishing': {
      if (written === 'article') return t('runs:live.publishingAt')
      const count = run?.deliveries.length ?? 0
      const done = published(run?.deliveries ?? [])
      return t(done === 1 ? 'runs:live.publishingFirst' : 'runs:live.publishing', { done, count })
    }
    case 'waiting': {
      const approval = open?.approval
      if (!approval) return t(`runs:live.ready.${written}`, { time })
      const deadline = format.momentInSentence(approval.deadline_at, now)
      const isTheSame = format.dayAndTime(at, now) === format.dayAndTime(approval.deadline_at, now)
      const deadlineKey = isTheSame ? (`runs:live.waitsForApprovalTill.${written}` as const) : (`runs:live.waitsForApproval.${written}` as const)
      const approvalKey = approval.at_once ? (`runs:live.waitsToGoAtOnce.${written}` as const) : deadlineKey
      return t(approval.at_deadline === 'publish' ? `runs:live.waitsForVeto.${written}` : approvalKey, {
        time,
        when: format.atMoment(at, now),
        deadline,
      })
    }
    case 'ready':
      return t(`runs:live.ready.${written}`, { time })
    case 'retrying': {
      const retry = retryOf(live)
      return retry ? retryText(t, retry.code, written) : t('runs:live.retrying')
    }
    case 'preparing': {
      // between two steps, the next one
      const steps = open ? runSteps(open, assistant.image_source !== 'none') : []
      const step = steps.find(({ state }) => state === 'active') ?? steps.find(({ state }) => state !== 'done')
      return step && written === 'article' ? articleText(t, step, time) : t(`runs:live.preparing.post.${postStep(step)}`, { time })
    }
    case 'asleep': {
      const slot = assistant.status.next_slot
      if (!slot) return t(`runs:live.asleepOpen.${contentKindOfAssistant(assistant)}`)
      const when = { day: format.dayInSentence(slot, now), time: format.timeInSentence(slot) }
      return t(assistant.mode === 'draft' ? 'runs:live.asleepDraft' : `runs:live.asleep.${contentKindOfAssistant(assistant)}`, when)
    }
    case 'paused':
      return pauseText(t, format, assistant.pause, now, contentKindOfAssistant(assistant))
    case 'resuming':
      return t('runs:live.resuming')
    case 'inactive': {
      const count = assistant.missing.length
      return count > 0 ? t('runs:live.inactiveMissing', { count }) : t('runs:live.inactive')
    }
    case 'activating':
      return t('runs:live.activating')
    case 'planning_failed':
      return t('runs:live.planningFailed')
    case 'finished':
      return t('runs:live.finished')
  }
}

function articleText(t: TFunction<['common', 'runs']>, { kind, step }: RunStep, time: string): string {
  const section = step && sectionOf(step.facts)
  return kind === 'text' && section ? t('runs:live.preparing.section', { ...section, time }) : t(`runs:live.preparing.article.${kind}`, { time })
}

/** Return the step of a post: outline, summary and search texts belong to articles only. */
function postStep(step: RunStep | undefined): 'topic' | 'text' | 'image' | 'check' {
  const kind = step?.kind ?? 'check'
  return kind === 'outline' || kind === 'summary' || kind === 'search' ? 'text' : kind
}

function LiveClock({ live, mood, now }: { live: AssistantLiveOut; mood: Mood; now: Date }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const { status } = live.assistant
  const run = openRun(live)
  if (mood === 'asleep' && status.next_start) {
    const caption = t('runs:live.untilPrepare', { when: format.atMoment(status.next_start, now) })
    return <ClockFace time={millisecondsUntil(status.next_start, now)} caption={caption} />
  }
  if (mood === 'paused' && live.assistant.pause?.until) {
    const end = live.assistant.pause.until
    return <ClockFace time={millisecondsUntil(end, now)} caption={t('runs:live.untilResume', { when: format.atMoment(end, now) })} />
  }
  if (mood === 'planning_failed' && status.retry_at) {
    return <ClockFace time={millisecondsUntil(status.retry_at, now)} caption={t('runs:live.untilTry')} />
  }
  if (mood === 'retrying' && run) {
    const next = nextRetry(run)?.next_try_at
    if (next) return <ClockFace time={millisecondsUntil(next, now)} caption={t('runs:live.untilTry')} />
  }
  if (!run) return null
  if (mood === 'waiting' && run.approval) {
    return <ClockFace time={Math.max(0, millisecondsUntil(run.approval.deadline_at, now))} caption={t('runs:live.untilDeadline')} />
  }
  const left = millisecondsUntil(publishTimeOf(run), now)
  const when = format.atMoment(publishTimeOf(run), now)
  if (left > 0) return <ClockFace time={left} caption={t('runs:live.untilSlot', { when })} />
  return <ClockFace up time={-left} caption={t('runs:live.sinceSlot', { when })} />
}
