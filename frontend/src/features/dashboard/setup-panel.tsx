import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Panel } from '@/components/panel'
import type { SetupStep } from './setup'

const START = 8
const END = 304
const MIDDLE = 13

/** The first start: what is done, the next step, and the one after it. Gone when all is done. */
export function SetupPanel({ steps }: { steps: SetupStep[] }) {
  const { t } = useTranslation()
  const open = steps.filter(({ done }) => !done)
  const [next, then] = open
  if (!next) return null
  const done = steps.length - open.length
  return (
    <Panel title={t('dashboard.setup', { done, count: steps.length })}>
      <SetupThread steps={steps} next={next} />
      <ol className="vh">
        {steps.map((step) => (
          <li key={step.name} aria-current={step === next ? 'step' : undefined}>
            {t(`dashboard.step${step.name}`)}
            {step.done && `: ${t('dashboard.stepDone')}`}
          </li>
        ))}
      </ol>
      <div className="setup-next two">
        <b>{t(`dashboard.step${next.name}`)}</b>
        <small>{t(`dashboard.step${next.name}Text`)}</small>
      </div>
      <div className="setup-actions">
        <Button component={Link} to={next.to} size="xs" variant="light">
          {t(`dashboard.step${next.name}`)}
        </Button>
        {then && <span className="dim">{t('dashboard.stepThen', { step: t(`dashboard.step${then.name}`) })}</span>}
      </div>
    </Panel>
  )
}

function SetupThread({ steps, next }: { steps: SetupStep[]; next: SetupStep }) {
  const place = (index: number) => START + (index * (END - START)) / (steps.length - 1)
  return (
    <svg viewBox="0 0 312 26" width="100%" height="26" aria-hidden="true" className="setup-thread">
      <path d={`M${START} ${MIDDLE}H${END}`} stroke="var(--pl-line-strong)" strokeWidth="2" strokeDasharray="1 6" strokeLinecap="round" />
      {steps.slice(1).map((step, index) => (
        step.done && steps[index]?.done && (
          <path key={step.name} d={`M${place(index)} ${MIDDLE}H${place(index + 1)}`} stroke="var(--pl-thread)" strokeWidth="2.5" />
        )
      ))}
      {steps.map((step, index) => (
        <g key={step.name} transform={`translate(${place(index)} ${MIDDLE})`}>
          <circle r="10" fill="var(--pl-raised)" />
          {step.done ? (
            <circle r="5.5" fill="var(--pl-thread)" />
          ) : step === next ? (
            <circle r="5" fill="var(--pl-raised)" stroke="var(--pl-weft)" strokeWidth="3.5" />
          ) : (
            <circle r="4" fill="var(--pl-raised)" stroke="var(--pl-line-strong)" strokeWidth="2" />
          )}
        </g>
      ))}
    </svg>
  )
}
