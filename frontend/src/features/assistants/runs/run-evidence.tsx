import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { generatePath, Link } from 'react-router'
import type { ReactNode } from 'react'
import type { CallOut, FailureOut, RunEvidenceOut, StepKind, StepOut, TextVersionOut, UsedTemplateOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { Facts } from '@/components/facts'
import { lazyPart } from '@/components/lazy-part'
import { ServerWords } from '@/components/server-words'
import { useFormat } from '@/i18n/use-format'
import { layoutName } from '@/lib/card-words'
import { paths } from '@/lib/paths'
import { attemptText, reasonText } from '@/lib/problems'
import { keepsSlot, publishTimeOf } from './run-state'
import { shortTime, wentOutAt } from './run-view'
import { correctionText, lengthText, revisionText, similarityText } from '@/features/assistants/form/text-facts'
import { contentKindOf, type ContentKind } from '@/lib/content-kind'

const ReviewNotes = lazyPart(async () => (await import('@/components/review-notes')).ReviewNotes)

/** The steps that write texts, in order. */
const OF_TEXT: readonly StepKind[] = ['outline', 'text', 'summary', 'search']

/** Return the last step that writes text: failed calls, which name no step, are listed below it. */
const lastOfText = ({ steps }: RunEvidenceOut) => OF_TEXT.findLast((kind) => steps.some((step) => step.kind === kind))

/** Return the text versions of a step: for a post only if there are several, for an article those of the step. */
function textsOf({ is_article, texts }: RunEvidenceOut, kind: StepKind): TextVersionOut[] {
  if (!is_article) return texts.length > 1 ? texts : []
  const versionKind = kind === 'text' ? 'section' : kind
  return texts.filter((version) => version.kind === versionKind)
}

/** The evidence of a step: time, failures, template, prompt and call. */
export function StepEvidence({ run, kind }: { run: RunEvidenceOut; kind: StepKind }) {
  const { t } = useTranslation(['common', 'cards', 'errors', 'runs'])
  const format = useFormat()
  const step = run.steps.find((candidate) => candidate.kind === kind)
  if (!step) return null
  const { facts, failures } = step
  const isText = OF_TEXT.includes(kind)
  const template = isText ? run.text_template : kind === 'image' ? run.image_template : null
  const duration = step.finished_at ? Date.parse(step.finished_at) - Date.parse(step.started_at) : null
  const text = (name: string) => (typeof facts[name] === 'string' && facts[name] !== '' ? facts[name] : null)
  const prompt = text('prompt')
  const costs = isText || kind === 'image'
  const correction = isText && ofEach((own) => correctionText(t, own))
  const length = kind === 'text' && ofEach((own) => lengthText(t, own))
  const similarity = kind === 'text' && ofEach((own) => similarityText(t, format, own))
  return (
    <div className="evidence">
      <Failures failures={failures} isFinal={step.state === 'failed'} written={contentKindOf(run)} />
      {facts.prompt_cut === true && <p className="evidence-warning">{t('runs:promptCut')}</p>}
      <Facts
        facts={[
          [t('runs:started'), costs && <span className="num">{format.seconds(step.started_at)}</span>],
          [t('runs:took'), costs && duration !== null && shortTime(format, duration)],
          [t('runs:attempts'), costs && step.attempt],
          [t('runs:template'), template && <TemplateLink template={template} />],
          [t('runs:brand'), kind === 'text' && run.brand],
          [t('runs:model'), costs && facts.source !== 'own' && model()],
          [t('runs:tokens'), tokens()],
          [t('runs:cost'), money()],
          [t('runs:correctionOf'), correction && <div className="evidence-prose">{correction}</div>],
          [t('runs:length'), length],
          [t('runs:secondLook'), kind === 'text' && secondLook()],
          [t('runs:request'), text('request_id') && <code>{text('request_id')}</code>],
          [t('runs:hash'), text('content_hash') && <code title={text('content_hash') ?? ''}>{text('content_hash')?.slice(0, 12)}</code>],
          [t('runs:similarity'), similarity && <div className="evidence-prose">{similarity}</div>],
        ]}
      />
      {(kind === 'image' || kind === lastOfText(run)) && <Spoiled run={run} type={kind === 'image' ? 'image' : 'text'} />}
      {isText && <Texts texts={textsOf(run, kind)} />}
      {prompt && (
        <details className="evidence-prompt">
          <summary>{t('runs:prompt')}</summary>
          <pre>{prompt}</pre>
        </details>
      )}
    </div>
  )

  function model() {
    if (facts.provider === 'demo') return t('runs:demo')
    if (facts.provider === 'cards' && typeof facts.pages === 'number') return t('runs:live.carousel', { count: facts.pages })
    return facts.provider === 'cards' ? t('runs:live.card', { layout: layoutName(t, String(facts.model)) }) : text('model')
  }

  /** Return what `describe` says of the text, or of the text of each network; null if that is nothing. */
  function ofEach(describe: (facts: StepOut['facts']) => ReactNode): ReactNode {
    const networks = step?.networks ?? []
    if (networks.length === 0) return describe(facts)
    const described = networks.flatMap(({ channel, facts: own }) => {
      const text = describe(own)
      return text ? [{ channel, text }] : []
    })
    if (described.length === 0) return null
    return described.map(({ channel, text }) => (
      <div key={channel}>
        {channelName(channel)}: {text}
      </div>
    ))
  }

  function secondLook() {
    if (run.found.length === 0 || step?.state !== 'done') return null
    return (
      <div className="evidence-prose">
        <ReviewNotes notes={run.found} />
        {revisionText(t, facts)}
      </div>
    )
  }

  function tokens() {
    const { input_tokens, output_tokens } = facts
    if (!input_tokens && !output_tokens) return null
    const countText = (count: unknown) => (typeof count === 'number' ? format.number(count) : '?')
    return t('runs:tokensOf', { given: countText(input_tokens), made: countText(output_tokens) })
  }

  function money() {
    if (facts.provider === 'demo' || facts.provider === 'cards') return null
    if (typeof facts.cost_micros === 'number') return format.money(facts.cost_micros, run.currency)
    return 'cost_micros' in facts && t('runs:live.costUnknown')
  }
}

function TemplateLink({ template }: { template: UsedTemplateOut }) {
  const { t } = useTranslation(['common', 'runs'])
  return (
    <Link className="link" to={generatePath(paths.template, { templateId: template.template_id })}>
      {t('runs:version', { name: template.name, number: template.number })}
    </Link>
  )
}

/** The failed calls that cost money. */
function Spoiled({ run, type: of }: { run: RunEvidenceOut; type: CallOut['type'] }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const calls = run.calls.filter(({ type, outcome }) => type === of && outcome !== 'succeeded')
  if (calls.length === 0) return null
  const costOfCall = ({ cost_micros, most_micros, currency }: CallOut) => {
    if (cost_micros !== null) return format.money(cost_micros, currency)
    return most_micros === null ? t('runs:live.costUnknown') : t('runs:atMost', { cost: format.money(most_micros, currency) })
  }
  return (
    <ul className="evidence-list">
      {calls.map((call) => (
        <li key={call.created_at}>
          <span className="num">{format.seconds(call.created_at)}</span>{' '}
          {t(call.outcome === 'lost' ? 'runs:unheard' : 'runs:spoiled', { model: call.model, cost: costOfCall(call) })}
        </li>
      ))}
    </ul>
  )
}

/** All responses of the model for the text. */
function Texts({ texts }: { texts: TextVersionOut[] }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  return texts.map((text) => (
    <details key={`${text.kind} ${text.part}`} className="evidence-prompt">
      <summary>{nameOf(t, text)}</summary>
      <pre>{text.content ?? reasonText(t, text.reason ?? 'internal')}</pre>
    </details>
  ))
}

/** The part of an answer that should have had the texts of several networks and had none. */
const NO_TEXTS = -1000

/** Return the name of a text, with its network if each has its own. */
function nameOf(t: TFunction<['common', 'runs']>, { kind, part, channel }: TextVersionOut) {
  const name = partName(t, kind, part)
  return channel ? t('runs:ofNetwork', { network: channelName(channel), text: name }) : name
}

/** Return the name of a part; a negative part is the second response for a part. */
function partName(t: TFunction<['common', 'runs']>, kind: TextVersionOut['kind'], part: number) {
  if (part >= 0 || part === NO_TEXTS) return t(`runs:texts.${kind}`, { number: part + 1 })
  if (kind === 'rewritten') return t('runs:revisedText')
  return t('runs:secondAnswer', { text: t(`runs:texts.${kind}`, { number: -part }) })
}

/** The failed attempts. `isFinal`: no attempt followed the last one. */
function Failures({ failures, isFinal, written }: { failures: FailureOut[]; isFinal: boolean; written: ContentKind }) {
  const { t } = useTranslation(['common', 'errors', 'runs'])
  const format = useFormat()
  const [only, ...more] = failures
  // the step already says why its only attempt failed
  if (!only || (isFinal && more.length === 0 && !only.detail)) return null
  return (
    <ul className="evidence-list">
      {failures.map(({ attempt, code, at, detail }, index) => (
        <li key={at}>
          <span className="num">{format.seconds(at)}</span>{' '}
          {attempt > 0 ? t('runs:failedAttempt', { attempt }) : t('runs:failedStaging')} {isFinal && index === failures.length - 1 ? reasonText(t, code, written) : attemptText(t, code, written)}
          {detail && <ServerWords>{detail}</ServerWords>}
        </li>
      ))}
    </ul>
  )
}

/** Shorter times (ms) are not shown. */
const CONFIRMED_LATER = 50

/** The evidence of a delivery: delay of the call, time of the confirmation, failures. */
export function DeliveryEvidence({ run, deliveryId }: { run: RunEvidenceOut; deliveryId: string }) {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const delivery = run.deliveries.find(({ id }) => id === deliveryId)
  if (!delivery) return null
  const out = wentOutAt(delivery)
  const parts = [
    out && keepsSlot(run) && t('runs:afterSlot', { time: shortTime(format, Date.parse(out) - Date.parse(publishTimeOf(run))) }),
    out &&
      delivery.settled_at &&
      Date.parse(delivery.settled_at) - Date.parse(out) >= CONFIRMED_LATER &&
      t('runs:confirmed', { time: shortTime(format, Date.parse(delivery.settled_at) - Date.parse(out)) }),
    delivery.attempts > 1 && t('runs:attemptsTaken', { count: delivery.attempts }),
  ]
  return (
    <>
      <small className="num">{parts.filter(Boolean).join(' · ')}</small>
      <Failures failures={delivery.failures} isFinal={delivery.state === 'failed'} written={contentKindOf(run)} />
    </>
  )
}
