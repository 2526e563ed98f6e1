import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { setupQuery } from './api'
import { openSteps, stepPaths } from './figures'

/** The way on after a finished step: what is still open on the way to the first post, else another assistant. */
export function NextStep() {
  const { t } = useTranslation()
  const { data } = useQuery({ ...setupQuery, staleTime: 0 })
  if (!data) return null
  const next = openSteps(data.steps).next?.key ?? 'create_assistant'
  return (
    <Button component={Link} to={stepPaths[next]}>
      {t(`dashboard.step.${next}.title`)}
    </Button>
  )
}
