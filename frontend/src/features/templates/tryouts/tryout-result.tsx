import { Button, Tabs, Tooltip } from '@mantine/core'
import { IconPlayerStop, IconRepeat, IconTextWrap } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import type { TFunction } from 'i18next'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TryoutDetail, TryoutOut } from '@/api/types.gen'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { Facts } from '@/components/facts'
import { PageSwipe } from '@/components/page-swipe'
import { ReasonText } from '@/components/reason-text'
import { ServerWords } from '@/components/server-words'
import { StatusBadge } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { shortCountdown, millisecondsUntil, useNow } from '@/lib/clock'
import { isAtWork } from '@/lib/generation'
import { problemText, retryText } from '@/lib/problems'
import { keyOf, segmentsOf } from '@/lib/template-segments'
import { textLength } from '@/lib/text-length'
import { useUrlFilters } from '@/lib/url-filters'
import { useCancelTryout } from '@/features/templates/api'
import { phaseOf, phaseStatus, tryoutFacts, secondsText } from './tryout-view'

const DEMO = 'demo'
/** The code of a failure without a reason. */
const UNKNOWN = 'internal'
const LONG_QUEUE = 10_000 // ms
const VIEWS = ['output', 'json', 'inputs'] as const

interface TryoutResultProps {
  tryout: TryoutDetail
  onAgain: () => void
  onUseInputs: () => void
}

/** A try-out: its result or progress, as text and JSON, and its inputs. */
export function TryoutResult({ tryout, onAgain, onUseInputs }: TryoutResultProps) {
  const { t } = useTranslation(['common', 'templates'])
  const { filter, change } = useUrlFilters()
  const view = VIEWS.find((name) => name === filter('show')) ?? 'output'
  return (
    <section className="panel result" aria-label={t('templates:tried.result')}>
      <Tabs value={view} onChange={(next) => change({ show: next === 'output' ? null : next })} keepMounted={false}>
        <div className="result-head">
          <Tabs.List>
            {VIEWS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`templates:tried.views.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <span className="result-state" role="status">
            <PhaseBadge tryout={tryout} />
          </span>
        </div>
        <Tabs.Panel value="output">
          <Output tryout={tryout} onAgain={onAgain} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonOutput tryout={tryout} />
        </Tabs.Panel>
        <Tabs.Panel value="inputs">
          <UsedInputs tryout={tryout} onUseInputs={onUseInputs} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

/** The phase of the try-out as a badge, with its duration. */
export function PhaseBadge({ tryout }: { tryout: TryoutOut }) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  const phase = phaseOf(tryout)
  const label =
    phase === 'succeeded' && tryout.duration_ms !== null
      ? t('templates:tried.doneIn', { time: secondsText(t, format, tryout.duration_ms) })
      : t(`templates:tried.phases.${phase}`)
  return <StatusBadge status={phaseStatus[phase]} label={label} />
}

function Output({ tryout, onAgain }: { tryout: TryoutOut; onAgain: () => void }) {
  const { t } = useTranslation(['common', 'runs', 'templates'])
  const text = useRef<HTMLDivElement>(null)
  const format = useFormat()
  const open = isAtWork(tryout)
  const image = tryout.image_url !== null
  const { pages = [] } = tryout
  const limit = tryout.settings.text?.max_characters ?? null
  return (
    <>
      {open && <AtWork tryout={tryout} />}
      {tryout.state === 'failed' && (
        <div className="result-why" data-tone="bad" role="alert">
          <strong>{t('templates:tried.failed')}</strong> <ReasonText code={tryout.reason ?? UNKNOWN} />
          {tryout.detail && <ServerWords>{tryout.detail}</ServerWords>}
        </div>
      )}
      {tryout.prompt_cut && (
        <p className="result-why" data-tone="warn">
          {t('runs:promptCut')}
        </p>
      )}
      {tryout.state === 'cancelled' && <p className="result-why">{t('templates:tried.cancelledText')}</p>}
      {image && (
        <figure className="result-image">
          {pages.length > 0 ? (
            <PageSwipe pages={pages} />
          ) : (
            <img
              src={tryout.image_url ?? undefined}
              width={tryout.image_width ?? undefined}
              height={tryout.image_height ?? undefined}
              alt={t('templates:tried.imageAlt', { size: sizeText(tryout) })}
            />
          )}
          <figcaption className="dim num">
            {pages.length > 0 && <>{t('swipe.label', { count: pages.length })}, </>}
            {t('templates:tried.pixels', { size: sizeText(tryout) })}
          </figcaption>
        </figure>
      )}
      {tryout.type === 'image' && tryout.state === 'succeeded' && !image && (
        <p className="result-why">{t('templates:tried.imageGone')}</p>
      )}
      {tryout.output && !image && (
        <div className="result-text" ref={text} aria-busy={open} lang={tryout.language}>
          {tryout.output}
        </div>
      )}
      {tryout.provider === DEMO && tryout.output && (
        <p className="result-demo">
          <span className="tag">{t('templates:tried.demoWriter')}</span> {t('templates:tried.demoHint')}
        </p>
      )}
      {!open && (
        <dl className="tryout-facts">
          {tryoutFacts(t, format, tryout).map(({ key, label, value, code }) => (
            <div key={key} data-fact={key}>
              <dt>{label}</dt>
              <dd className={code ? 'mono' : 'num'}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="result-foot">
        {tryout.output && !image && (
          <span className="num dim">
            {limit === null
              ? t('templates:settings.characters', { count: textLength(tryout.output) })
              : t('templates:tried.ofLimit', { count: textLength(tryout.output), limit })}
          </span>
        )}
        <span className="grow" />
        {tryout.output && !image && (
          <CopyButton
            size="xs"
            text={tryout.output}
            label={t('copy')}
            onForbidden={() => markAndCopy(text.current)}
          />
        )}
        {open ? <Cancel tryout={tryout} /> : <Again onAgain={onAgain} />}
      </div>
    </>
  )
}

/** The progress of a running try-out: queued, writing, or waiting for a retry. */
function AtWork({ tryout }: { tryout: TryoutOut }) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const now = useNow()
  const phase = phaseOf(tryout)
  if (phase === 'retrying' && tryout.next_try_at)
    return (
      <div className="result-why" data-tone="warn">
        <span role="status">
          <strong>{t('templates:tried.attemptFailed', { number: tryout.attempt })}</strong> {retryText(t, tryout.reason ?? UNKNOWN)}
        </span>{' '}
        <span className="num">
          {t('templates:tried.nextTry', { time: shortCountdown(millisecondsUntil(tryout.next_try_at, now)) })}
        </span>
      </div>
    )
  if (phase === 'queued') {
    const long = now.getTime() - Date.parse(tryout.created_at) > LONG_QUEUE
    return (
      <p className="result-why" role="status">
        {t(long ? 'templates:tried.queuedLong' : 'templates:tried.queued')}
      </p>
    )
  }
  // as soon as there is text, no status is needed
  if (tryout.output && tryout.attempt <= 1) return null
  return (
    <p className="result-why" role="status">
      {tryout.attempt > 1
        ? t('templates:tried.runningAgain', { number: tryout.attempt })
        : t(tryout.type === 'text' ? 'templates:tried.writing' : 'templates:tried.drawing')}
    </p>
  )
}

const sizeText = ({ image_width, image_height }: TryoutOut) => `${image_width ?? '?'} × ${image_height ?? '?'}`

function Cancel({ tryout }: { tryout: TryoutOut }) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const cancel = useCancelTryout()
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlayerStop size={14} aria-hidden />}
      loading={cancel.isPending}
      onClick={() =>
        cancel.mutate(
          { path: { template_id: tryout.template_id, tryout_id: tryout.id } },
          {
            onError: (problem) =>
              void notifications.show({
                color: 'red',
                message: `${t('templates:tried.cancelFailed')} ${problemText(t, problem)}`,
              }),
          },
        )
      }
    >
      {t('templates:tried.cancel')}
    </Button>
  )
}

function Again({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <Tooltip label={t('templates:tried.againHint')}>
      <Button size="xs" variant="default" leftSection={<IconRepeat size={14} aria-hidden />} onClick={onAgain}>
        {t('templates:tried.again')}
      </Button>
    </Tooltip>
  )
}

function JsonOutput({ tryout }: { tryout: TryoutDetail }) {
  const { t } = useTranslation(['common', 'templates'])
  const code = useRef<HTMLPreElement>(null)
  const text = JSON.stringify(tryout.json_output, null, 2)
  return (
    <>
      <pre className="result-json" ref={code} tabIndex={0} aria-label="JSON">
        {text}
      </pre>
      <div className="result-foot">
        <span className="grow" />
        <CopyButton size="xs" text={text} label={t('templates:tried.copyJson')} onForbidden={() => markAndCopy(code.current)} />
      </div>
    </>
  )
}

function UsedInputs({ tryout, onUseInputs }: { tryout: TryoutOut; onUseInputs: () => void }) {
  const { t } = useTranslation(['common', 'templates'])
  const format = useFormat()
  return (
    <>
      <div className="result-inputs">
        <InputFacts tryout={tryout} />
        <Facts
          facts={[
            [t('templates:tried.triedText'), versionText(tryout, t)],
            [t('templates:language'), t(`languages.${tryout.language}`)],
            [t('templates:tried.startedAt'), format.dayAndTime(tryout.created_at)],
          ]}
        />
        <details>
          <summary>{t('templates:tried.showText')}</summary>
          <pre className="publish-body" tabIndex={0} aria-label={t('templates:body')}>
            {tryout.body}
          </pre>
        </details>
      </div>
      <div className="result-foot">
        <span className="grow" />
        <Button size="xs" variant="default" leftSection={<IconTextWrap size={14} aria-hidden />} onClick={onUseInputs}>
          {t('templates:tried.useInputs')}
        </Button>
      </div>
    </>
  )
}

export const versionText = (tryout: TryoutOut, t: TFunction<['common', 'templates']>): string =>
  tryout.version === null ? t('templates:tried.unsavedText') : t('templates:version', { number: tryout.version })

/** The inputs with their values; an empty one is shown as empty. */
export function InputFacts({ tryout }: { tryout: TryoutOut }): ReactNode {
  const { t } = useTranslation(['common', 'templates'])
  // in the order of the text, since the server stores no order
  const named = segmentsOf(tryout.body).flatMap(({ name }) => (name === undefined ? [] : [keyOf(name)]))
  const place = ([name]: [string, string]) => named.indexOf(keyOf(name))
  const inputs = Object.entries(tryout.inputs).sort((a, b) => place(a) - place(b))
  if (inputs.length === 0) return <p className="field-note">{t('templates:tried.noInputs')}</p>
  return (
    <Facts
      facts={inputs.map(
        ([name, value]) =>
          [name, value.trim() === '' ? <span key="empty" className="dim">{t('templates:tried.emptyInput')}</span> : value] as const,
      )}
    />
  )
}
