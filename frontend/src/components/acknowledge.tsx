import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { acknowledgePostMutation } from '@/api/@tanstack/react-query.gen'
import { problemText } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

export const ACKNOWLEDGE = ['acknowledge post']

interface AcknowledgeProps {
  postId: string
  name: string
  onPressed?: () => void
}

/** Button that acknowledges a failed post: its status stays, but it no longer waits for the user. */
export function Acknowledge({ postId, name, onPressed }: AcknowledgeProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const acknowledge = useMutation({
    ...acknowledgePostMutation(),
    mutationKey: ACKNOWLEDGE,
    // here and not at the call: a list may unmount the button right after the click
    onError: (problem) =>
      notifications.show({ color: 'red', message: `${t('posts:acknowledgeFailed')} ${problemText(t, problem)}` }),
    onSettled: useRefetchPosts(),
  })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCheck size={14} aria-hidden />}
      loading={acknowledge.isPending}
      aria-label={t('posts:acknowledgeOf', { post: name })}
      onClick={() => {
        acknowledge.mutate({ path: { post_id: postId } })
        onPressed?.()
      }}
    >
      {t('posts:acknowledge')}
    </Button>
  )
}
