import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { acknowledgePostMutation } from '@/api/@tanstack/react-query.gen'
import { problemText } from '@/lib/problems'
import { useRefetchPosts } from '@/lib/refetch-posts'

interface AcknowledgeProps {
  postId: string
  name: string
}

/** A failed post stays what it is; it only leaves what waits for somebody. */
export function Acknowledge({ postId, name }: AcknowledgeProps) {
  const { t } = useTranslation()
  const acknowledge = useMutation({ ...acknowledgePostMutation(), onSettled: useRefetchPosts() })
  return (
    <Button
      size="xs"
      variant="default"
      leftSection={<IconCheck size={14} aria-hidden />}
      loading={acknowledge.isPending}
      aria-label={t('posts.acknowledgeOf', { post: name })}
      onClick={() =>
        acknowledge.mutate(
          { path: { post_id: postId } },
          {
            onError: (problem) =>
              notifications.show({ color: 'red', message: `${t('posts.acknowledgeFailed')} ${problemText(t, problem)}` }),
          },
        )
      }
    >
      {t('posts.acknowledge')}
    </Button>
  )
}
