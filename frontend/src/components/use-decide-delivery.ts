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
 * Return the mutation with the user's answer for a delivery with an unknown outcome. It publishes nothing, so it can be
 * undone.
 */
export function useDecideDelivery({ mutationKey, onError }: Options = {}) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const refetch = useRefetchPosts()
  const takeBack = useMutation({
    ...takeBackDeliveryDecisionMutation(),
    // here and not at the call: the row of the answer may be unmounted
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
