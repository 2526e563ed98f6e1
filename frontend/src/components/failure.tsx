import { Button, Title } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { problemText, type Problem } from '@/lib/problems'
import { LoomArt } from './loom-art'

interface FailureProps {
  /** What failed, such as "Error fetching subscription details". */
  title: string
  problem: Problem
  onRetry: () => void
}

/** Shown instead of content that could not be loaded: the cause, and a button to retry. */
export function Failure({ title, problem, onRetry }: FailureProps) {
  const { t } = useTranslation(['common', 'errors'])
  return (
    <section className="panel failure" role="alert">
      <LoomArt kind="cut" width={150} />
      <div className="grow">
        <Title order={2}>{title}</Title>
        <p>{problemText(t, problem)}</p>
        <Button size="xs" leftSection={<IconRefresh size={14} />} onClick={onRetry}>
          {t('tryAgain')}
        </Button>
      </div>
    </section>
  )
}
