import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SetupStateOut, SetupStepOut } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { openSteps, stepPaths } from './steps'

const START = 8
const END = 304
const MIDDLE = 13

/** The setup: steps done, the next step, and those after it. Not rendered when all are done. */
export function SetupPanel({ setup: { steps } }: { setup: SetupStateOut }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const { next, then: later } = openSteps(steps)
  if (!next) return null
  return (
    <Panel title={t('dashboard:setup', { done: steps.length - later.length - 1, count: steps.length })}>
      <SetupThread steps={steps} next={next} />
      <ol className="vh">
        {steps.map((step) => (
          <li key={step.key} aria-current={step === next ? 'step' : undefined}>
            {t(`dashboard:step.${step.key}.title`)}
            {step.done && `: ${t('dashboard:stepDone')}`}
          </li>
        ))}
      </ol>
      <div className="setup-next two-lines">
        <b>{t(`dashboard:step.${next.key}.title`)}</b>
        <small>{t(`dashboard:step.${next.key}.text`)}</small>
      </div>
      <Button component={Link} to={stepPaths[next.key]} size="xs" variant="light">
        {t(`dashboard:step.${next.key}.title`)}
      </Button>
      {later.length > 0 && (
        <div className="setup-later">
          <span>{t('dashboard:stepThen')}</span>
          <ol className="plain-list">
            {later.map(({ key }) => (
              <li key={key}>
                <Link className="link" to={stepPaths[key]}>
                  {t(`dashboard:step.${key}.title`)}
                </Link>
              </li>
            ))}
          </ol>
        </div>
      )}
    </Panel>
  )
}

function SetupThread({ steps, next }: { steps: readonly SetupStepOut[]; next: SetupStepOut }) {
  const place = (index: number) => START + (index * (END - START)) / (steps.length - 1)
  return (
    <svg viewBox="0 0 312 26" preserveAspectRatio="xMinYMid" width="100%" height="26" aria-hidden="true" className="setup-thread">
      <path d={`M${START} ${MIDDLE}H${END}`} stroke="var(--pl-line-strong)" strokeWidth="2" strokeDasharray="1 6" strokeLinecap="round" />
      {steps.slice(1).map((step, index) => (
        step.done && steps[index]?.done && (
          <path key={step.key} d={`M${place(index)} ${MIDDLE}H${place(index + 1)}`} stroke="var(--pl-thread)" strokeWidth="2.5" />
        )
      ))}
      {steps.map((step, index) => (
        <g key={step.key} transform={`translate(${place(index)} ${MIDDLE})`}>
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
