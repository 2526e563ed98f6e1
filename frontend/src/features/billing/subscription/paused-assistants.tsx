import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconPlayerPause } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { SubscriptionOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { withRemedy } from '@/components/problem-text'
import { useProblemText } from '@/components/use-problem-text'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { isProblem } from '@/lib/problems'
import { useResumeAssistants } from './api'

interface PausedAssistantsProps {
  subscription: SubscriptionOut
  /** The button shown while nothing is unlocked. */
  action?: ReactNode
}

/** The assistants paused because the subscription ended; once it is active again, one click resumes all. */
export function PausedAssistants({ subscription, action }: PausedAssistantsProps) {
  const { t } = useTranslation(['common', 'billing'])
  const textOf = useProblemText()
  const resuming = useResumeAssistants()
  const { paused_assistants: count, unlocked } = subscription

  // not in the callbacks of `mutate`: this component is unmounted before they are called
  const resumeAll = useOneAtATime(async () => {
    try {
      const { paused_assistants: left } = await resuming.mutateAsync({})
      const resumed = t('billing:subscription.assistantsResumed', { count: count - left })
      notifications.show({ message: left > 0 ? `${resumed} ${t('billing:subscription.assistantsLeft', { count: left })}` : resumed })
    } catch (error) {
      if (!isProblem(error)) throw error
      const message = withRemedy(error.code, `${t('billing:subscription.assistantsFailed')} ${textOf(error)}`)
      notifications.show({ color: 'red', message })
    }
  })
  if (count === 0) return null

  return (
    <Banner
      tone={unlocked ? 'turn' : 'warn'}
      icon={<IconPlayerPause size={18} stroke={1.9} aria-hidden />}
      title={t(unlocked ? 'billing:subscription.pausedReady' : 'billing:subscription.pausedBanner', { count })}
      action={
        unlocked ? (
          <Button size="xs" color="saffron" loading={resuming.isPending} onClick={() => void resumeAll()}>
            {t('billing:subscription.resumeAssistants', { count })}
          </Button>
        ) : (
          action
        )
      }
    >
      {unlocked ? t('billing:subscription.pausedReadyText') : t('billing:subscription.pausedText', { count })}
    </Banner>
  )
}
