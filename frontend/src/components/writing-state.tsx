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
  /** Without a stop button, if there is one elsewhere. */
  withoutStop?: boolean
  /** Why it could not be started, if no field shows it. */
  problem?: Problem | null | undefined
}

/** The progress of a writing, or why it failed. */
export function WritingState({ writing: { writing, atWork, isMissing, stop, stopping, stopProblem }, image, withoutStop = false, problem }: WritingStateProps) {
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
        <p className="writing-error" role="alert">
          <strong>{t('writing:startFailed')}</strong> <ProblemText problem={problem} />
        </p>
      )}
      {writing?.state === 'failed' && (
        <p className="writing-error" role="alert">
          <strong>{t(image ? 'writing:failedImage' : 'writing:failed')}</strong> <ReasonText code={writing.reason ?? 'internal'} />
          {writing.detail && <ServerWords>{writing.detail}</ServerWords>}
        </p>
      )}
      {isMissing && (
        <p className="writing-error" role="alert">
          {t('writing:gone')}
        </p>
      )}
      {stopProblem && atWork && (
        <p className="writing-error" role="alert">
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
