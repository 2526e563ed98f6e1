import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ChannelKind, DeliveryOut, RunDetail, StepKind } from '@/api/types.gen'
import { channelName, placeOf, readAt } from '@/components/channel'
import { deliveryStatus, waitsForSlot } from '@/components/delivery-status'
import { heldText } from '@/components/held-text'
import { StatusBadge } from '@/components/status'
import { Step, Strands, type Strand } from '@/components/thread'
import { Thumb } from '@/components/thumb'
import { useFormat } from '@/i18n/use-format'
import { layoutName } from '@/lib/card-words'
import { shortCountdown, millisecondsUntil } from '@/lib/clock'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, reasonText, retryText } from '@/lib/problems'
import { useDecideDelivery } from '@/features/assistants/api'
import { publishTimeOf } from './run-state'
import { madePath } from '@/features/assistants/links'
import { retryOf, runSteps, sectionOf, withoutBlankLines, withoutMarks, type RunStep } from '@/features/assistants/live/live-view'
import { ownImageText } from '@/features/assistants/form/own-image-text'
import { runReasonText } from './run-reason'
import { contentKindOf, type ContentKind } from '@/lib/content-kind'

interface RunStepsProps {
  run: RunDetail
  withImage: boolean
  now: Date
  /** The step at which the run failed without a record of it. */
  failedAt?: StepKind | null
  /** Renders more about a started step. */
  more?: (kind: StepKind) => ReactNode
}

/** The steps that prepare a run, in progress or finished. */
export function RunSteps({ run, withImage, now, failedAt, more }: RunStepsProps) {
  return runSteps(run, withImage).map((step) => (
    <PreparingStep
      key={step.kind}
      step={step.kind === failedAt ? { ...step, state: 'failed' } : step}
      run={run}
      now={now}
      more={step.step && more?.(step.kind)}
    />
  ))
}

const NAMES = {
  topic: ['runs:live.stepTopic', 'runs:live.stepTopicActive', 'runs:live.stepTopicDone'],
  outline: ['runs:live.stepOutline', 'runs:live.stepOutlineActive', 'runs:live.stepOutlineDone'],
  text: ['runs:live.stepText.post', 'runs:live.stepTextActive.post', 'runs:live.stepTextDone.post'],
  summary: ['runs:live.stepSummary', 'runs:live.stepSummaryActive', 'runs:live.stepSummaryDone'],
  search: ['runs:live.stepSearch', 'runs:live.stepSearchActive', 'runs:live.stepSearchDone'],
  image: ['runs:live.stepImage', 'runs:live.stepImageActive', 'runs:live.stepImageDone'],
  check: ['runs:live.stepCheck.post', 'runs:live.stepCheckActive.post', 'runs:live.stepCheckDone'],
} as const

/** The texts of steps that differ for articles. */
const OF_ARTICLE = {
  text: ['runs:live.stepText.article', 'runs:live.stepTextActive.article', 'runs:live.stepTextDone.article'],
  check: ['runs:live.stepCheck.article', 'runs:live.stepCheckActive.article', 'runs:live.stepCheckDone'],
} as const

/** The texts for an image of the assistant's own. */
const OWN_IMAGE = ['runs:live.takeImage', 'runs:live.takeImageActive', 'runs:live.takeImageDone'] as const

/** The steps with a cost, shown unless the details list it. */
const COSTS: readonly StepKind[] = ['outline', 'text', 'summary', 'search', 'image']

interface PreparingStepProps {
  step: RunStep
  run: RunDetail
  now: Date
  more?: ReactNode
}

function PreparingStep({ step: { kind, state, step, retry }, run, now, more }: PreparingStepProps) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  const written = contentKindOf(run)
  const isOwnImage = kind === 'image' && step?.facts.source === 'own'
  const names = run.is_article && (kind === 'text' || kind === 'check') ? OF_ARTICLE[kind] : NAMES[kind]
  const [todo, active, done] = isOwnImage ? OWN_IMAGE : names
  const section = kind === 'text' && step ? sectionOf(step.facts) : null
  const working = state === 'active' || state === 'retrying'
  const fallback = kind === 'image' ? step?.facts.fallback : undefined
  const instead = fallback === 'without' || fallback === 'card' || fallback === 'ask' ? fallback : null
  const name = instead ? t(`runs:live.imageFallbacks.${instead}`) : working && section ? t('runs:live.stepSection', section) : t(state === 'done' ? done : working ? activeName() : todo)
  const topic = kind === 'topic' && state === 'done' && run.topic_title
  const wait = retry?.next_try_at ? millisecondsUntil(retry.next_try_at, now) : null
  const time = retry
    ? wait !== null && wait > 0
      ? t('runs:live.nextTry', { wait: shortCountdown(wait) })
      : t('runs:live.retryingNow')
    : step && format.seconds(step.finished_at ?? step.started_at)
  /** Return the name of the running step; a text may be shortened or rewritten. */
  function activeName() {
    const doing = step?.facts.doing
    if (kind === 'text' && doing === 'shortened') return 'runs:live.stepTextShortens'
    return kind === 'text' && doing === 'rewritten' ? 'runs:live.stepTextAgain' : active
  }
  return (
    <Step state={state} title={topic ? t('runs:live.topic', { title: topic }) : name} time={time}>
      {retry && (
        <div className="attempt">
          <StatusBadge status="retrying" label={attemptText(t, retry.attempt, retry.max_attempts)} />
          <span>{retryText(t, retry.code, written)}</span>
        </div>
      )}
      {state === 'failed' && step && (
        <span>{runReasonText(t, { ...run, reason: String(step.facts.code ?? run.reason ?? 'internal') })}</span>
      )}
      {instead && state === 'done' && step && <span>{reasonText(t, String(step.facts.code), written)}</span>}
      {step?.facts.needed_by && <span>{t('runs:live.imageNeeded', { network: channelName(step.facts.needed_by as ChannelKind) })}</span>}
      {state === 'done' && step && (isOwnImage || !(more && COSTS.includes(kind))) && <StepFacts run={run} kind={kind} facts={step.facts} attempt={step.attempt} />}
      {kind === lastWithContent(run) && state === 'done' && <PostPeek run={run} />}
      {section && state === 'active' && run.post_id && (
        <div>
          <Link className="link" to={madePath({ ...run, post_id: run.post_id })}>
            {t('runs:live.readAlong')}
          </Link>
        </div>
      )}
      {more}
    </Step>
  )
}

const attemptText = (t: TFunction<['common', 'runs']>, attempt: number, most: number | null) =>
  most ? t('runs:live.attemptOf', { attempt, most }) : t('runs:live.attempt', { attempt })

/** Return the step below which the post is shown: after its image, if any. */
const lastWithContent = (run: RunDetail) =>
  run.steps.some(({ kind, state }) => kind === 'image' && state === 'done') ? 'image' : 'text'

interface StepFactsProps {
  run: RunDetail
  kind: RunStep['kind']
  facts: Record<string, string | number | boolean | null>
  attempt: number
}

/** One line of facts about the step, such as the topic or the text's cost. */
function StepFacts({ run, kind, facts, attempt }: StepFactsProps) {
  const { t } = useTranslation(['common', 'cards', 'runs'])
  const format = useFormat()
  const tokens = Number(facts.input_tokens ?? 0) + Number(facts.output_tokens ?? 0)
  const strategy = facts.strategy
  const parts: (string | false | null | undefined)[] = []
  if (kind === 'topic') {
    parts.push(typeof facts.path === 'string' && facts.path)
    if (strategy === 'least_recent' || strategy === 'in_order' || strategy === 'weighted_random') {
      parts.push(t(`runs:live.strategies.${strategy}`))
    }
    parts.push(facts.pick_from === 'all' && t('runs:live.fromAll'))
  }
  if (facts.source === 'own') return <span className="dim">{ownImageText(t, facts)}</span>
  if (COSTS.includes(kind)) {
    const { sections } = facts
    parts.push((kind === 'outline' || kind === 'text') && typeof sections === 'number' && t('runs:live.sections', { count: sections }))
    parts.push(typeof facts.pages === 'number' && t('runs:live.carousel', { count: facts.pages }))
    parts.push(attempt > 1 && t('runs:live.attemptNumber', { attempt }))
    const demo = facts.provider === 'demo'
    if (!demo && facts.provider !== 'cards') {
      parts.push(typeof facts.model === 'string' && facts.model)
      parts.push(tokens > 0 && t('runs:live.tokens', { count: tokens }))
      if (typeof facts.cost_micros === 'number' && facts.cost_micros > 0) {
        parts.push(format.money(facts.cost_micros, run.currency))
      }
    }
    if (facts.provider === 'cards' && facts.pages === undefined) return <span className="dim">{t('runs:live.card', { layout: layoutName(t, String(facts.model)) })}</span>
    // shown once per article
    if (demo && kind === 'text') return <span className="demo-note">{t('runs:live.demoWriter')}</span>
  }
  if (kind === 'check') {
    parts.push(typeof facts.characters === 'number' && t('runs:live.characters', { count: facts.characters }))
    parts.push(typeof facts.images === 'number' && facts.images > 0 && t('runs:live.images', { count: facts.images }))
    parts.push(typeof facts.documents === 'number' && facts.documents > 0 && t('runs:live.documents', { count: facts.documents }))
  }
  return <span className="dim">{parts.filter(Boolean).join(' · ')}</span>
}

function PostPeek({ run }: { run: RunDetail }) {
  if (!run.content) return null
  return (
    <div className="peek">
      {run.first_file && <Thumb className="peek-art" file={run.first_file} />}
      <p className="peek-text">{withoutBlankLines(run.is_article ? withoutMarks(run.content) : run.content)}</p>
    </div>
  )
}

interface DeliveryStrandsProps {
  run: RunDetail
  now: Date
  reached: boolean
  /** Renders more about a delivery. */
  more?: (delivery: DeliveryOut) => ReactNode
}

/** The deliveries: one strand each. */
export function DeliveryStrands({ run, now, reached, more }: DeliveryStrandsProps) {
  const { t } = useTranslation(['common', 'errors', 'posts', 'runs'])
  const format = useFormat()
  const asksForApproval = run.state === 'waiting' && run.approval?.at_deadline !== 'publish'
  const strands = run.deliveries.map((delivery): Strand => {
    const retry = retryOf(run, delivery)
    const status = asksForApproval && waitsForSlot(delivery) ? 'waiting' : deliveryStatus(delivery)
    const wait = retry?.next_try_at ? millisecondsUntil(retry.next_try_at, now) : null
    return {
      id: delivery.id,
      channel: delivery.channel,
      name: delivery.account_name,
      status,
      label: labelOf(),
      note: more ? (
        <>
          {noteOf()}
          {more(delivery)}
        </>
      ) : (
        noteOf()
      ),
      action: delivery.state === 'unknown' && run.post_id ? <Decision delivery={delivery} postId={run.post_id} written={contentKindOf(run)} /> : undefined,
    }

    function labelOf(): ReactNode {
      if (delivery.state === 'retrying' && wait !== null && wait > 0) {
        return t('runs:live.retryingIn', { wait: shortCountdown(wait) })
      }
      if (delivery.state === 'cancelled') return t('runs:live.cancelledLabel')
      if (waitsForSlot(delivery)) return t(asksForApproval ? 'runs:live.waitsForYou' : 'posts:delivery.pending')
      return undefined
    }

    function noteOf(): ReactNode {
      const reason = delivery.error_code && reasonText(t, delivery.error_code, contentKindOf(run))
      switch (delivery.state) {
        case 'published':
          return (
            <>
              {delivery.decided_at
                ? t('posts:confirmed', { when: format.dayAndTime(delivery.decided_at) })
                : t('runs:live.liveSince', { time: format.seconds(delivery.settled_at ?? run.slot) })}
              {delivery.permalink && (
                <>
                  {' · '}
                  <a
                    className="link"
                    href={delivery.permalink}
                    target="_blank"
                    rel="noreferrer"
                  >
                    {t('posts:viewOn', { network: readAt(delivery) })}
                  </a>
                </>
              )}
            </>
          )
        case 'retrying': {
          const attempt = retry ? attemptText(t, retry.attempt, retry.max_attempts) : t('runs:live.attempt', { attempt: delivery.attempts })
          const code = delivery.error_code ?? retry?.code
          const why = code && retryText(t, code, contentKindOf(run))
          return [`${attempt}.`, why, t('runs:live.nothingTwice')].filter(Boolean).join(' ')
        }
        case 'held':
          return heldText(t, format.dayAndTime, delivery)
        case 'unknown':
          return t(`runs:live.unknown.${contentKindOf(run)}`, { channel: placeOf(delivery) })
        case 'failed':
          return reason ?? t(`runs:live.failedNoReason.${contentKindOf(run)}`)
        case 'cancelled':
          return reason ?? t('runs:live.cancelled')
        case 'publishing':
        case 'pending':
          if (waitsForSlot(delivery)) {
            if (asksForApproval && run.approval?.at_once) return t('runs:live.waitingToGoAtOnce')
            return t(asksForApproval ? 'runs:live.waitingForYou' : 'runs:live.waiting', { when: format.atMoment(publishTimeOf(run), now) })
          }
          return t('runs:live.sending')
      }
    }
  })
  return <Strands strands={strands} reached={reached} />
}

/** The question whether an unclear delivery was published. */
function Decision({ delivery, postId, written }: { delivery: DeliveryOut; postId: string; written: ContentKind }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const decide = useDecideDelivery()
  const decideOnce = useMutateOnce(decide)
  const answerDelivery = (answer: 'there' | 'not_there') =>
    decideOnce(
      { path: { post_id: postId, delivery_id: delivery.id }, body: { answer } },
      {
        onError: (problem) =>
          notifications.show({ color: 'red', message: t('runs:live.decisionFailed', { reason: problemText(t, problem) }) }),
      },
    )
  return (
    <div className="decision" role="group" aria-label={t(`runs:live.askThere.${written}`)}>
      <Button size="xs" color="saffron" loading={decide.isPending} title={t('runs:live.thereHint')} onClick={() => answerDelivery('there')}>
        {t('runs:live.there')}
      </Button>
      <Button size="xs" variant="default" disabled={decide.isPending} title={t('runs:live.notThereHint')} onClick={() => answerDelivery('not_there')}>
        {t('runs:live.notThere')}
      </Button>
    </div>
  )
}
