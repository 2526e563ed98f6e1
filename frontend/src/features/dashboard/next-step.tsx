import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { SetupStep } from '@/api/types.gen'
import { setupQuery } from './setup-query'
import { openSteps, stepPaths } from './steps'

/** The step to take now, as of after what was just done. */
function useSteps() {
  // who is through is not asked again on every page
  const { data, isFetchedAfterMount } = useQuery({
    ...setupQuery,
    staleTime: ({ state }) => (state.data?.complete ? Infinity : 0),
  })
  return isFetchedAfterMount || data?.complete ? data?.steps : undefined
}

interface NextStepProps {
  /** Another assistant where the way to the first post is done. */
  orNew?: boolean
  /** Light beside a button that matters more. */
  variant?: 'filled' | 'light'
}

/** The way on after a finished step. */
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

/** Over the page that a step was taken on, as long as the way to the first post is not done. */
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
