import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconHelpHexagon } from '@tabler/icons-react'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AssistantLiveOut, DeliveryOut, RunDetail, RunOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { deliveryStatus, waitsForSlot } from '@/components/delivery-status'
import { StatusBadge } from '@/components/status'
import { Step, Strands, Thread, type Strand } from '@/components/thread'
import type { Format } from '@/i18n/format'
import { useFormat } from '@/i18n/use-format'
import { layoutName } from '@/lib/card-words'
import { shortCountdown, until } from '@/lib/clock'
import { problemText, reasonText, retryText } from '@/lib/problems'
import { useDecideDelivery } from './api'
import { costText } from './cost-text'
import { postPath } from './links'
import { openRun, retryOf, runSteps, showsStrands, type RunStep } from './live-view'

interface LiveThreadProps {
  live: AssistantLiveOut
  now: Date
}

/** The run under way step by step; between runs the last result and what comes next. */
export function LiveThread({ live, now }: LiveThreadProps) {
  const run = openRun(live)
  const unclear = live.run?.deliveries.some(({ state }) => state === 'unknown') ? live.run : null
  const shown = run ?? unclear
  return (
    <>
      <EarlierUnclear posts={live.earlier_unclear} />
      <Thread>{shown ? <RunThread live={live} run={shown} now={now} /> : <RestThread live={live} now={now} />}</Thread>
    </>
  )
}

/** Outlives the run that it was asked in: whoever answers has time. */
function EarlierUnclear({ posts: [newest, ...others] }: { posts: string[] }) {
  const { t } = useTranslation()
  if (!newest) return null
  return (
    <p className="earlier-unclear">
      <IconHelpHexagon size={16} stroke={1.9} aria-hidden />
      <span>{t('liveRun.earlierUnclear', { count: others.length + 1 })}</span>
      <Link className="link" to={postPath(newest)}>
        {t('liveRun.earlierLook')}
      </Link>
    </p>
  )
}

function RunThread({ live, run, now }: LiveThreadProps & { run: RunDetail }) {
  const { t } = useTranslation()
  const format = useFormat()
  const { assistant } = live
  const steps = runSteps(run, assistant.image_source === 'template')
  const prepared = steps.every(({ state }) => state === 'done')
  const begun = run.state !== 'preparing' && showsStrands(run)
  const slotPassed = until(run.slot, now) <= 0
  const time = format.timeInSentence(run.slot)
  return (
    <>
      {steps.map((step) => (
        <PreparingStep key={step.kind} step={step} run={run} now={now} />
      ))}
      {run.state !== 'preparing' && prepared && !slotPassed && (
        <Step state="active" title={t('liveRun.waitSlot', { time })} time={format.seconds(run.slot)}>
          <span className="dim">{t('liveRun.waitSlotMore')}</span>
        </Step>
      )}
      {begun ? (
        <DeliveryStrands run={run} now={now} reached={!run.deliveries.every(waitsForSlot) || slotPassed} />
      ) : (
        <Step
          state="todo"
          title={assistant.mode === 'draft' ? t('liveRun.keepDraft') : t('liveRun.publish', { count: assistant.accounts.length })}
          time={assistant.mode === 'draft' ? undefined : format.time(run.slot)}
        />
      )}
      <Step last state="todo" title={thenText(t, format, live, run, now)} />
    </>
  )
}

function sleepText(t: TFunction, format: Format, start: string, now: Date): string {
  const time = format.timeInSentence(start)
  if (format.day(start) === format.day(now)) return t('liveRun.sleepingToday', { time })
  return t('liveRun.sleeping', { day: format.dayInSentence(start, now), time })
}

function thenText(t: TFunction, format: Format, live: AssistantLiveOut, run: RunDetail, now: Date): string {
  // the next date, prepared or not: of those that are being prepared already the workflow has no plan any more
  const slot = live.occurrences.find((one) => Date.parse(one.slot) > Date.parse(run.slot))?.slot
  if (!live.assistant.active || !slot || until(slot, now) <= 0) return t('liveRun.thenDone')
  const time = format.timeInSentence(slot)
  if (format.day(slot) === format.day(now)) return t('liveRun.thenSleep', { time })
  return t('liveRun.thenSleepDay', { day: format.dayInSentence(slot, now), time })
}

const NAMES = {
  topic: ['liveRun.stepTopic', 'liveRun.stepTopicActive', 'liveRun.stepTopicDone'],
  text: ['liveRun.stepText', 'liveRun.stepTextActive', 'liveRun.stepTextDone'],
  image: ['liveRun.stepImage', 'liveRun.stepImageActive', 'liveRun.stepImageDone'],
  check: ['liveRun.stepCheck', 'liveRun.stepCheckActive', 'liveRun.stepCheckDone'],
  stage: ['liveRun.stepStage', 'liveRun.stepStageActive', 'liveRun.stepStageDone'],
} as const

function PreparingStep({ step: { kind, state, step, retry }, run, now }: { step: RunStep; run: RunDetail; now: Date }) {
  const { t } = useTranslation()
  const format = useFormat()
  const [todo, active, done] = NAMES[kind]
  const working = state === 'active' || state === 'retrying'
  const name = t(state === 'done' ? done : working ? active : todo)
  const topic = kind === 'topic' && state === 'done' && run.topic_title
  const wait = retry?.next_try_at ? until(retry.next_try_at, now) : null
  const time = retry
    ? wait !== null && wait > 0
      ? t('liveRun.nextTry', { wait: shortCountdown(wait) })
      : t('liveRun.retryingNow')
    : step && format.seconds(step.finished_at ?? step.started_at)
  return (
    <Step state={state} title={topic ? t('liveRun.topic', { title: topic }) : name} time={time}>
      {retry && (
        <div className="attempt">
          <StatusBadge status="retrying" label={attemptText(t, retry.attempt, retry.max_attempts)} />
          <span>{retryText(t, retry.code)}</span>
        </div>
      )}
      {state === 'failed' && step && (
        <span>{reasonText(t, String(step.facts.code ?? run.reason ?? 'internal'))}</span>
      )}
      {state === 'done' && step && <StepFacts run={run} kind={kind} facts={step.facts} attempt={step.attempt} />}
      {kind === lastWithContent(run) && state === 'done' && <PostPeek run={run} />}
    </Step>
  )
}

const attemptText = (t: TFunction, attempt: number, most: number | null) =>
  most ? t('liveRun.attemptOf', { attempt, most }) : t('liveRun.attempt', { attempt })

/** The step under which the post is shown: after its image, where it has one. */
const lastWithContent = (run: RunDetail) =>
  run.steps.some(({ kind, state }) => kind === 'image' && state === 'done') ? 'image' : 'text'

interface StepFactsProps {
  run: RunDetail
  kind: RunStep['kind']
  facts: Record<string, string | number | boolean | null>
  attempt: number
}

/** One line of what the step leaves behind: where the topic stands, what the text cost. */
function StepFacts({ run, kind, facts, attempt }: StepFactsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const tokens = Number(facts.input_tokens ?? 0) + Number(facts.output_tokens ?? 0)
  const strategy = facts.strategy
  const parts: (string | false | null | undefined)[] = []
  if (kind === 'topic') {
    parts.push(typeof facts.path === 'string' && facts.path)
    if (strategy === 'least_recent' || strategy === 'in_order' || strategy === 'weighted_random') {
      parts.push(t(`liveRun.strategies.${strategy}`))
    }
    parts.push(facts.pick_from === 'all' && t('liveRun.fromAll'))
  }
  if (kind === 'text' || kind === 'image') {
    parts.push(attempt > 1 && t('liveRun.attemptNumber', { attempt }))
    const demo = facts.provider === 'demo'
    if (!demo) {
      parts.push(typeof facts.model === 'string' && facts.model)
      parts.push(tokens > 0 && t('liveRun.tokens', { count: tokens }))
      if (typeof facts.cost_micros === 'number' && facts.cost_micros > 0) {
        parts.push(format.money(facts.cost_micros, run.currency))
      }
    }
    if (facts.provider === 'cards') return <span className="dim">{t('liveRun.card', { layout: layoutName(t, String(facts.model)) })}</span>
    if (demo) return <span className="demo-note">{t('liveRun.demoWriter')}</span>
  }
  if (kind === 'check') {
    parts.push(typeof facts.characters === 'number' && t('liveRun.characters', { count: facts.characters }))
    parts.push(typeof facts.images === 'number' && facts.images > 0 && t('liveRun.images', { count: facts.images }))
  }
  return <span className="dim">{parts.filter(Boolean).join(' · ')}</span>
}

function PostPeek({ run }: { run: RunDetail }) {
  if (!run.content) return null
  return (
    <div className="peek">
      {run.image_url && (
        <div className="peek-art">
          <img src={run.image_url} alt="" />
        </div>
      )}
      <p className="peek-text">{run.content}</p>
    </div>
  )
}

function DeliveryStrands({ run, now, reached }: { run: RunDetail; now: Date; reached: boolean }) {
  const { t } = useTranslation()
  const format = useFormat()
  const strands = run.deliveries.map((delivery): Strand => {
    const retry = retryOf(run, delivery)
    const status = deliveryStatus(delivery)
    const wait = retry?.next_try_at ? until(retry.next_try_at, now) : null
    return {
      id: delivery.id,
      channel: delivery.channel,
      name: delivery.account_name,
      status,
      label: labelOf(),
      note: noteOf(),
      action: delivery.state === 'unknown' && run.post_id ? <Decision delivery={delivery} postId={run.post_id} /> : undefined,
    }

    function labelOf(): ReactNode {
      if (delivery.state === 'retrying' && wait !== null && wait > 0) {
        return t('liveRun.retryingIn', { wait: shortCountdown(wait) })
      }
      if (delivery.state === 'cancelled') return t('liveRun.cancelledLabel')
      return undefined
    }

    function noteOf(): ReactNode {
      const reason = delivery.error_code && reasonText(t, delivery.error_code)
      switch (delivery.state) {
        case 'published':
          return (
            <>
              {delivery.decided_at
                ? t('posts.confirmed', { when: format.dayAndTime(delivery.decided_at) })
                : t('liveRun.liveSince', { time: format.seconds(delivery.settled_at ?? run.slot) })}
              {delivery.permalink && (
                <>
                  {' · '}
                  <a
                    className="link"
                    href={delivery.permalink}
                    target="_blank"
                    rel="noreferrer"
                  >
                    {t('posts.viewOn', { network: channelName(delivery.channel) })}
                  </a>
                </>
              )}
            </>
          )
        case 'retrying': {
          const attempt = retry ? attemptText(t, retry.attempt, retry.max_attempts) : t('liveRun.attempt', { attempt: delivery.attempts })
          const code = delivery.error_code ?? retry?.code
          const why = code && retryText(t, code)
          return [`${attempt}.`, why, t('liveRun.nothingTwice')].filter(Boolean).join(' ')
        }
        case 'unknown':
          return t('liveRun.unknown', { channel: channelName(delivery.channel) })
        case 'failed':
          return reason ?? t('liveRun.failedNoReason')
        case 'cancelled':
          return reason ?? t('liveRun.cancelled')
        case 'publishing':
        case 'pending':
          if (waitsForSlot(delivery)) return t('liveRun.waiting', { time: format.timeInSentence(run.slot) })
          return t('liveRun.sending')
      }
    }
  })
  return <Strands strands={strands} reached={reached} />
}

/** The network gave no answer: a person looks there and says what is true. */
function Decision({ delivery, postId }: { delivery: DeliveryOut; postId: string }) {
  const { t } = useTranslation()
  const decide = useDecideDelivery()
  const say = (answer: 'there' | 'not_there') =>
    decide.mutate(
      { path: { post_id: postId, delivery_id: delivery.id }, body: { answer } },
      {
        onError: (problem) =>
          notifications.show({ color: 'red', message: t('liveRun.decisionFailed', { reason: problemText(t, problem) }) }),
      },
    )
  return (
    <div className="decision" role="group" aria-label={t('liveRun.askThere')}>
      <Button size="xs" color="saffron" loading={decide.isPending} title={t('liveRun.thereHint')} onClick={() => say('there')}>
        {t('liveRun.there')}
      </Button>
      <Button size="xs" variant="default" disabled={decide.isPending} title={t('liveRun.notThereHint')} onClick={() => say('not_there')}>
        {t('liveRun.notThere')}
      </Button>
    </div>
  )
}

/** Between runs. */
function RestThread({ live: { assistant, run }, now }: LiveThreadProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const { status } = assistant
  const asleep = assistant.active && status.phase === 'asleep' && status.next_start && status.next_slot
  return (
    <>
      {run ? <LastResult run={run} now={now} /> : !asleep && <Step state="todo" title={t('liveRun.nothingYet')} />}
      {asleep ? (
        <>
          <Step
            state="active"
            title={sleepText(t, format, status.next_start ?? '', now)}
            time={format.duration(Math.max(0, until(status.next_start ?? '', now)))}
          >
            <span className="dim">{run ? t('liveRun.waitSlotMore') : t('liveRun.nothingYetMore')}</span>
          </Step>
          <Step
            state="todo"
            title={t(assistant.image_source === 'template' ? 'liveRun.prepareImage' : 'liveRun.prepare')}
            time={format.time(status.next_start ?? '')}
          />
          <Step
            last
            state="todo"
            title={
              assistant.mode === 'draft' ? t('liveRun.keepDraft') : t('liveRun.publish', { count: assistant.accounts.length })
            }
            time={format.time(status.next_slot ?? '')}
          />
        </>
      ) : (
        <Step last state={assistant.active && status.phase !== 'finished' ? 'active' : 'todo'} title={restText()} />
      )}
    </>
  )

  function restText() {
    if (!assistant.active) return t('liveRun.inactiveStep')
    return status.phase === 'finished' ? t('liveRun.finishedStep') : t('liveRun.activatingStep')
  }
}

function LastResult({ run, now }: { run: RunDetail; now: Date }) {
  const { t } = useTranslation()
  const format = useFormat()
  const bad = run.state === 'failed' || run.state === 'missed'
  return (
    <Step
      state={bad ? 'failed' : 'done'}
      title={t('liveRun.lastRun', {
        day: sentenceStart(format.dayInSentence(run.slot, now)),
        time: format.timeInSentence(run.slot),
        result: resultText(t, run),
      })}
      time={run.finished_at ? format.time(run.finished_at) : undefined}
    >
      <span className="dim">{[run.topic_title, ...costText(t, format, run)].filter(Boolean).join(' · ')}</span>
      {bad && run.reason && <div>{reasonText(t, run.reason)}</div>}
      {run.post_id && (
        <div>
          <Link className="link" to={postPath(run.post_id)}>
            {t('liveRun.openPost')}
          </Link>
        </div>
      )}
    </Step>
  )
}

const sentenceStart = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1)

function resultText(t: TFunction, run: RunDetail & RunOut): string {
  if (run.state !== 'published') return t(`liveRun.result.${run.state}`)
  const count = run.deliveries.filter(({ state }) => state === 'published').length
  return count > 0 ? t('liveRun.result.published', { count }) : t('liveRun.result.publishedPlain')
}
