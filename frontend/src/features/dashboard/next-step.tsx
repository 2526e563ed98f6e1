import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SetupStep } from '@/api/types.gen'
import { setupQuery } from './setup-query'
import { openSteps, stepPaths } from './steps'

/** Return the steps of the setup, fetched after the last action. */
function useSteps() {
  // a complete setup is not refetched on every page
  const { data, isFetchedAfterMount } = useQuery({
    ...setupQuery,
    staleTime: ({ state }) => (state.data?.complete ? Infinity : 0),
  })
  return isFetchedAfterMount || data?.complete ? data?.steps : undefined
}

interface NextStepProps {
  /** Whether to offer another assistant when the setup is done. */
  orNew?: boolean
  /** `light` beside a more important button. */
  variant?: 'filled' | 'light'
}

/** The button that leads to the next step. */
export function NextStep({ orNew = false, variant = 'filled' }: NextStepProps) {
  const { t } = useTranslation(['common', 'dashboard'])
  const steps = useSteps()
  const next = steps && (openSteps(steps).next?.key ?? (orNew ? 'create_assistant' : undefined))
  if (!next) return null
  return (
    <Button component={Link} to={stepPaths[next]} variant={variant}>
      {t(`dashboard:step.${next}.title`)}
    </Button>
  )
}

/** The bar above the page of a finished step, until the setup is done. */
export function NextStepBar({ after }: { after: SetupStep }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const steps = useSteps()
  if (!steps?.some(({ key, done }) => key === after && done)) return null
  const { next } = openSteps(steps)
  if (!next) return null
  return (
    <aside className="next-step" aria-label={t('dashboard:nextStep')}>
      <div className="grow two-lines">
        <b>{t('dashboard:nextStepIs', { step: t(`dashboard:step.${next.key}.title`) })}</b>
        <small>{t(`dashboard:step.${next.key}.text`)}</small>
      </div>
      <Button component={Link} to={stepPaths[next.key]} size="xs" variant="light">
        {t(`dashboard:step.${next.key}.title`)}
      </Button>
    </aside>
  )
}
