import { Button, Drawer, Group, Stack } from '@mantine/core'
import { IconExternalLink, IconPencil } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PostOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { Facts } from '@/components/facts'
import { Failure } from '@/components/failure'
import { answerBy } from '@/components/post-status'
import { RowSkeletons } from '@/components/skeletons'
import { PostBadge } from '@/components/post-badge'
import { useFormat } from '@/i18n/use-format'
import { editPath } from '@/lib/edit-path'
import { pagePath } from '@/lib/page-path'
import { contentKindOf } from '@/lib/content-kind'
import { accountsQuery, postQuery } from '@/features/posts/api'
import { PostActions } from './post-actions'
import { PostPreviews } from '@/features/posts/post-previews'
import { mayEdit, nameOf, destinationsOf } from '@/features/posts/post-state'

interface PostDrawerProps {
  opened: boolean
  postId: string | null
  /** Whether the drawer fills the screen. */
  phone: boolean
  onClose: () => void
}

/** A post in a drawer: its state, its preview and its actions. */
export function PostDrawer({ opened, postId, phone, onClose }: PostDrawerProps) {
  const { t } = useTranslation(['common', 'posts'])
  const post = useQuery({ ...postQuery(postId ?? ''), enabled: postId !== null })
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={phone ? '100%' : 460}
      title={post.data ? nameOf(t, post.data) : t('posts:post')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {post.data ? (
        <Content post={post.data} />
      ) : post.isError ? (
        <Failure title={t('posts:readFailed')} problem={post.error} onRetry={() => void post.refetch()} />
      ) : (
        <RowSkeletons rows={4} />
      )}
    </Drawer>
  )
}

function Content({ post }: { post: PostOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const accounts = useQuery(accountsQuery)
  const until = answerBy(post)
  const places = destinationsOf(post, accounts.data)
  return (
    <Stack gap="md">
      <Group gap="sm">
        <PostBadge post={post} at={post.planned_at} />
        <ChannelIcons channels={places.map(({ channel }) => channel)} size={17} />
      </Group>
      <Facts
        facts={[
          [
            t('posts:planned'),
            until ? (
              <time dateTime={until}>{t('posts:onceApproved', { when: format.dayAndTime(until) })}</time>
            ) : (
              post.planned_at && <time dateTime={post.planned_at}>{format.dayAndTime(post.planned_at)}</time>
            ),
          ],
          [t('posts:assistant'), post.assistant_name],
        ]}
      />
      {post.is_demo && (
        <p className="field-note" role="note">
          <strong>{t('posts:demoWriter')}</strong> {t('posts:demoHint')}
        </p>
      )}
      <PostActions post={post} />
      {/* an article is read on its page */}
      {!post.is_article && (
        <div className="pv-stage">
          <PostPreviews post={post} />
        </div>
      )}
      <Group gap="sm">
        <Button component={Link} to={pagePath(post)} leftSection={<IconExternalLink size={15} aria-hidden />}>
          {t(`posts:openPost.${contentKindOf(post)}`)}
        </Button>
        {mayEdit(post) && (
          <Button component={Link} to={editPath(post)} variant="default" leftSection={<IconPencil size={15} aria-hidden />}>
            {t('posts:editPost')}
          </Button>
        )}
      </Group>
    </Stack>
  )
}
