import { notifications } from '@mantine/notifications'
import { useMutation, type MutationKey } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { decideDeliveryMutation, takeBackDeliveryDecisionMutation } from '@/api/@tanstack/react-query.gen'
import { problemText, type Problem } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'
import { showUndo } from './undo'

interface Options {
  mutationKey?: MutationKey
  onError?: (problem: Problem) => void
}

/**
 * A person's answer for a delivery whose outcome the network could not tell. Nothing leaves the house by it, so it can
 * be taken back.
 */
export function useDecideDelivery({ mutationKey, onError }: Options = {}) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const refetch = useRefetchPosts()
  const takeBack = useMutation({
    ...takeBackDeliveryDecisionMutation(),
    // here and not at the call: the row in which it was given may be gone
    onSuccess: () => notifications.show({ message: t('posts:takenBack') }),
    onError: (problem) =>
      notifications.show({ color: 'red', message: `${t('posts:takeBackFailed')} ${problemText(t, problem)}` }),
    onSettled: refetch,
  })
  return useMutation({
    ...decideDeliveryMutation(),
    mutationKey,
    onSuccess: (_, { path, body }) => {
      showUndo({
        message: t(body.answer === 'there' ? 'posts:thereSaid' : 'posts:notThereNoted'),
        label: t('undo'),
        undo: () => takeBack.mutate({ path }),
      })
    },
    onError,
    onSettled: refetch,
  })
}
