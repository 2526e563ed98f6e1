import { Button, Tabs, Tooltip } from '@mantine/core'
import { IconPlayerStop, IconRepeat, IconTextWrap } from '@tabler/icons-react'
import { notifications } from '@mantine/notifications'
import { useRef, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TryoutDetail, TryoutOut } from '@/api/types.gen'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { Facts } from '@/components/facts'
import { StatusBadge } from '@/components/status'
import { languageNames } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { shortCountdown, until, useNow } from '@/lib/clock'
import { problemText, reasonText, retryText } from '@/lib/problems'
import { keyOf, segmentsOf } from '@/lib/template-segments'
import { useUrlFilters } from '@/lib/url-filters'
import { useCancelRun } from './api'
import { isOpen, phaseOf, phaseStatus, runFacts, secondsText } from './run-view'

const DEMO = 'demo'
/** Of a run that failed without a reason. */
const UNKNOWN = 'internal'
const LONG_QUEUE = 10_000 // ms
const VIEWS = ['output', 'json', 'inputs'] as const

interface TryResultProps {
  run: TryoutDetail
  onAgain: () => void
  onUseInputs: () => void
}

/** One run: what came of it or what it is doing, as text, as JSON, and what it was made of. */
export function TryResult({ run, onAgain, onUseInputs }: TryResultProps) {
  const { t } = useTranslation()
  const { filter, change } = useUrlFilters()
  const view = VIEWS.find((name) => name === filter('show')) ?? 'output'
  return (
    <section className="panel result" aria-label={t('templates.try.result')}>
      <Tabs value={view} onChange={(next) => change({ show: next === 'output' ? null : next })} keepMounted={false}>
        <div className="result-head">
          <Tabs.List>
            {VIEWS.map((name) => (
              <Tabs.Tab key={name} value={name}>
                {t(`templates.try.views.${name}`)}
              </Tabs.Tab>
            ))}
          </Tabs.List>
          <span className="result-state" role="status">
            <PhaseBadge run={run} />
          </span>
        </div>
        <Tabs.Panel value="output">
          <Output run={run} onAgain={onAgain} />
        </Tabs.Panel>
        <Tabs.Panel value="json">
          <JsonOutput run={run} />
        </Tabs.Panel>
        <Tabs.Panel value="inputs">
          <UsedInputs run={run} onUseInputs={onUseInputs} />
        </Tabs.Panel>
      </Tabs>
    </section>
  )
}

/** In words; how long it took stands with it. */
export function PhaseBadge({ run }: { run: TryoutOut }) {
  const { t } = useTranslation()
  const format = useFormat()
  const phase = phaseOf(run)
  const label =
    phase === 'succeeded' && run.duration_ms !== null
      ? t('templates.try.doneIn', { time: secondsText(t, format, run.duration_ms) })
      : t(`templates.try.phases.${phase}`)
  return <StatusBadge status={phaseStatus[phase]} label={label} />
}

function Output({ run, onAgain }: { run: TryoutOut; onAgain: () => void }) {
  const { t } = useTranslation()
  const text = useRef<HTMLDivElement>(null)
  const format = useFormat()
  const open = isOpen(run)
  const image = run.image_url !== null
  const limit = run.settings.text?.max_characters ?? null
  return (
    <>
      {open && <AtWork run={run} />}
      {run.state === 'failed' && (
        <div className="result-why" data-tone="bad" role="alert">
          <strong>{t('templates.try.failed')}</strong> {reasonText(t, run.reason ?? UNKNOWN)}
        </div>
      )}
      {run.state === 'cancelled' && <p className="result-why">{t('templates.try.cancelledText')}</p>}
      {image && (
        <figure className="result-image">
          <img
            src={run.image_url ?? undefined}
            width={run.image_width ?? undefined}
            height={run.image_height ?? undefined}
            alt={t('templates.try.imageAlt', { size: sizeText(run) })}
          />
          <figcaption className="dim num">{t('templates.try.pixels', { size: sizeText(run) })}</figcaption>
        </figure>
      )}
      {run.type === 'image' && run.state === 'succeeded' && !image && (
        <p className="result-why">{t('templates.try.imageGone')}</p>
      )}
      {run.output && !image && (
        <div className="result-text" ref={text} aria-busy={open} lang={run.language}>
          {run.output}
        </div>
      )}
      {run.provider === DEMO && run.output && (
        <p className="result-demo">
          <span className="tag">{t('templates.try.demoWriter')}</span> {t('templates.try.demoHint')}
        </p>
      )}
      {!open && (
        <dl className="run-facts">
          {runFacts(t, format, run).map(({ key, label, value, code }) => (
            <div key={key} data-fact={key}>
              <dt>{label}</dt>
              <dd className={code ? 'mono' : 'num'}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      <div className="result-foot">
        {run.output && !image && (
          <span className="num dim">
            {limit === null
              ? t('templates.settings.characters', { count: [...run.output].length })
              : t('templates.try.ofLimit', { count: [...run.output].length, limit })}
          </span>
        )}
        <span className="grow" />
        {run.output && !image && (
          <CopyButton
            size="xs"
            text={run.output}
            label={t('common.copy')}
            onForbidden={() => markAndCopy(text.current)}
          />
        )}
        {open ? <Cancel run={run} /> : <Again onAgain={onAgain} />}
      </div>
    </>
  )
}

/** Queued, writing, or waiting for the next attempt: says what happens and what it waits for. */
function AtWork({ run }: { run: TryoutOut }) {
  const { t } = useTranslation()
  const now = useNow()
  const phase = phaseOf(run)
  if (phase === 'retrying' && run.next_try_at)
    return (
      <div className="result-why" data-tone="warn">
        <span role="status">
          <strong>{t('templates.try.attemptFailed', { number: run.attempt })}</strong> {retryText(t, run.reason ?? UNKNOWN)}
        </span>{' '}
        <span className="num">
          {t('templates.try.nextTry', { time: shortCountdown(until(run.next_try_at, now)) })}
        </span>
      </div>
    )
  if (phase === 'queued') {
    const long = now.getTime() - Date.parse(run.created_at) > LONG_QUEUE
    return (
      <p className="result-why" role="status">
        {t(long ? 'templates.try.queuedLong' : 'templates.try.queued')}
      </p>
    )
  }
  // once there is text, it speaks for itself
  if (run.output && run.attempt <= 1) return null
  return (
    <p className="result-why" role="status">
      {run.attempt > 1
        ? t('templates.try.runningAgain', { number: run.attempt })
        : t(run.type === 'text' ? 'templates.try.writing' : 'templates.try.drawing')}
    </p>
  )
}

const sizeText = ({ image_width, image_height }: TryoutOut) => `${image_width ?? '?'} × ${image_height ?? '?'}`

function Cancel({ run }: { run: TryoutOut }) {
  const { t } = useTranslation()
  const cancel = useCancelRun()
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconPlayerStop size={14} aria-hidden />}
      loading={cancel.isPending}
      onClick={() =>
        cancel.mutate(
          { path: { template_id: run.template_id, run_id: run.id } },
          {
            onError: (problem) =>
              void notifications.show({
                color: 'red',
                message: `${t('templates.try.cancelFailed')} ${problemText(t, problem)}`,
              }),
          },
        )
      }
    >
      {t('templates.try.cancel')}
    </Button>
  )
}

function Again({ onAgain }: { onAgain: () => void }) {
  const { t } = useTranslation()
  return (
    <Tooltip label={t('templates.try.againHint')}>
      <Button size="xs" variant="default" leftSection={<IconRepeat size={14} aria-hidden />} onClick={onAgain}>
        {t('templates.try.again')}
      </Button>
    </Tooltip>
  )
}

function JsonOutput({ run }: { run: TryoutDetail }) {
  const { t } = useTranslation()
  const code = useRef<HTMLPreElement>(null)
  const text = JSON.stringify(run.json_output, null, 2)
  return (
    <>
      <pre className="result-json" ref={code} tabIndex={0} aria-label="JSON">
        {text}
      </pre>
      <div className="result-foot">
        <span className="grow" />
        <CopyButton size="xs" text={text} label={t('templates.try.copyJson')} onForbidden={() => markAndCopy(code.current)} />
      </div>
    </>
  )
}

function UsedInputs({ run, onUseInputs }: { run: TryoutOut; onUseInputs: () => void }) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <>
      <div className="result-inputs">
        <RunInputs run={run} />
        <Facts
          facts={[
            [t('templates.try.triedText'), versionText(run, t)],
            [t('templates.language'), languageNames[run.language]],
            [t('templates.try.startedAt'), format.dayAndTime(run.created_at)],
          ]}
        />
        <details>
          <summary>{t('templates.try.showText')}</summary>
          <pre className="publish-body" tabIndex={0} aria-label={t('templates.body')}>
            {run.body}
          </pre>
        </details>
      </div>
      <div className="result-foot">
        <span className="grow" />
        <Button size="xs" variant="default" leftSection={<IconTextWrap size={14} aria-hidden />} onClick={onUseInputs}>
          {t('templates.try.useInputs')}
        </Button>
      </div>
    </>
  )
}

export const versionText = (run: TryoutOut, t: Parameters<typeof problemText>[0]): string =>
  run.version === null ? t('templates.try.unsavedText') : t('templates.version', { number: run.version })

/** Each input with its value; an empty one is shown as empty. */
export function RunInputs({ run }: { run: TryoutOut }): ReactNode {
  const { t } = useTranslation()
  // as they stand in the text: the server keeps them in no order
  const named = segmentsOf(run.body).flatMap(({ name }) => (name === undefined ? [] : [keyOf(name)]))
  const place = ([name]: [string, string]) => named.indexOf(keyOf(name))
  const inputs = Object.entries(run.inputs).sort((one, other) => place(one) - place(other))
  if (inputs.length === 0) return <p className="field-note">{t('templates.try.noInputs')}</p>
  return (
    <Facts
      facts={inputs.map(
        ([name, value]) =>
          [name, value.trim() === '' ? <span key="empty" className="dim">{t('templates.try.emptyInput')}</span> : value] as const,
      )}
    />
  )
}
