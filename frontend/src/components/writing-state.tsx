import { Button } from '@mantine/core'
import { IconPlayerStop } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { problemText, retryText, type Problem } from '@/lib/problems'
import { ProblemText } from './problem-text'
import { ReasonText } from './reason-text'
import { ServerWords } from './server-words'
import type { FollowedWriting } from './use-writing'
import './writing.css'

interface WritingStateProps {
  writing: FollowedWriting
  image?: boolean
  /** It is stopped elsewhere. */
  withoutStop?: boolean
  /** Why it was not begun, where no field tells it. */
  problem?: Problem | null | undefined
}

/** What it is doing, or why nothing came of it. */
export function WritingState({ writing: { writing, atWork, gone, stop, stopping, stopProblem }, image, withoutStop = false, problem }: WritingStateProps) {
  const { t } = useTranslation(['common', 'errors', 'writing'])
  return (
    <>
      <p className="writing-state" role="status">
        {atWork &&
          (writing?.next_try_at && writing.reason
            ? retryText(t, writing.reason)
            : t(writing?.state === 'running' ? (image ? 'writing:atWorkImage' : 'writing:atWork') : 'writing:waiting'))}
      </p>
      {problem && (
        <p className="writing-why" role="alert">
          <strong>{t('writing:startFailed')}</strong> <ProblemText problem={problem} />
        </p>
      )}
      {writing?.state === 'failed' && (
        <p className="writing-why" role="alert">
          <strong>{t(image ? 'writing:failedImage' : 'writing:failed')}</strong> <ReasonText code={writing.reason ?? 'internal'} />
          {writing.detail && <ServerWords>{writing.detail}</ServerWords>}
        </p>
      )}
      {gone && (
        <p className="writing-why" role="alert">
          {t('writing:gone')}
        </p>
      )}
      {stopProblem && atWork && (
        <p className="writing-why" role="alert">
          {problemText(t, stopProblem)}
        </p>
      )}
      {atWork && writing && !withoutStop && (
        <Button variant="default" leftSection={<IconPlayerStop size={15} aria-hidden />} loading={stopping} onClick={stop}>
          {t('writing:stop')}
        </Button>
      )}
    </>
  )
}
