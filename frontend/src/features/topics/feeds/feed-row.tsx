import { ActionIcon, Button, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import {
  IconAlertTriangle,
  IconDots,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconRss,
  IconTrash,
} from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TopicFeedOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { Tag } from '@/components/tag'
import type { Topics } from '@/features/topics/tree/tree-edits'
import { useFormat } from '@/i18n/use-format'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, reasonText, type Problem } from '@/lib/problems'
import { useFeedMutations } from './api'
import { EditFeedDialog } from './feed-dialog'
import { nameOf } from './feed-name'

interface FeedRowProps {
  treeId: string
  feed: TopicFeedOut
  topics: Topics
}

/** A feed with its state and what can be done with it. */
export function FeedRow({ treeId, feed, topics }: FeedRowProps) {
  const { t } = useTranslation(['common', 'errors', 'topicFeeds'])
  const branch = topics.find(({ id }) => id === feed.topic_id)
  return (
    <li className="feed">
      <IconRss size={18} stroke={1.7} aria-hidden className="feed-icon" data-off={!feed.active || undefined} />
      <div className="two-lines grow">
        <span className="feed-name">
          <b>{nameOf(feed)}</b>
          {!feed.active && <Tag>{t('topicFeeds:paused')}</Tag>}
        </span>
        <small>
          <a className="link clip" href={feed.address} target="_blank" rel="noreferrer">
            {feed.address}
          </a>
        </small>
        <small>
          {[
            branch && t('topicFeeds:under', { title: branch.title }),
            t('topicFeeds:atMost', { count: feed.daily }),
            feed.full_text && t('topicFeeds:withText'),
          ]
            .filter(Boolean)
            .join(' · ')}
        </small>
        <FeedState feed={feed} />
        {feed.error && (
          <p className="feed-error" role="status">
            <IconAlertTriangle size={15} aria-hidden /> {reasonText(t, feed.error)}
          </p>
        )}
      </div>
      <FeedActions treeId={treeId} feed={feed} topics={topics} />
    </li>
  )
}

/** When the feed was and will be read, and what became of its items. */
function FeedState({ feed }: { feed: TopicFeedOut }) {
  const { t } = useTranslation(['common', 'topicFeeds'])
  const format = useFormat()
  const { active, asked_at: last, next_at: next, items, added, waiting } = feed
  return (
    <small className="num">
      {[
        last ? t('topicFeeds:lastChecked', { when: format.momentInSentence(last) }) : t('topicFeeds:neverChecked'),
        active && (next ? t('topicFeeds:nextCheck', { when: format.momentInSentence(next) }) : t('topicFeeds:checkSoon')),
        last && t('topicFeeds:items', { count: items }),
        last && t('topicFeeds:added', { count: added }),
        waiting > 0 && t('topicFeeds:waiting', { count: waiting }),
      ]
        .filter(Boolean)
        .join(' · ')}
    </small>
  )
}

function FeedActions({ treeId, feed, topics }: FeedRowProps) {
  const { t } = useTranslation(['common', 'errors', 'topicFeeds'])
  const { update, check, remove } = useFeedMutations(treeId)
  const checkOnce = useMutateOnce(check)
  const confirm = useConfirm()
  const [editing, edit] = useDisclosure()
  const name = nameOf(feed)
  const path = { tree_id: treeId, feed_id: feed.id }
  const onError = (problem: Problem) =>
    void notifications.show({ color: 'red', title: t('topicFeeds:notDone', { name }), message: problemText(t, problem) })

  const askToDelete = async () => {
    const sure = await confirm({
      title: t('topicFeeds:deleteTitle', { name }),
      text: t('topicFeeds:deleteText'),
      action: t('topicFeeds:delete'),
      danger: true,
    })
    if (!sure) return
    remove.mutate({ path }, { onSuccess: () => notifications.show({ message: t('topicFeeds:deleted', { name }) }), onError })
  }
  const setActive = (active: boolean) =>
    update.mutate(
      { path, body: { active } },
      {
        onSuccess: () => notifications.show({ message: t(active ? 'topicFeeds:resumed' : 'topicFeeds:nowPaused', { name }) }),
        onError,
      },
    )
  return (
    <div className="feed-actions">
      {feed.active && (
        <Button
          size="xs"
          variant="default"
          leftSection={<IconRefresh size={14} aria-hidden />}
          loading={check.isPending}
          aria-label={t('topicFeeds:checkThis', { name })}
          onClick={() =>
            checkOnce({ path }, { onSuccess: () => notifications.show({ message: t('topicFeeds:willCheck', { name }) }), onError })
          }
        >
          {t('topicFeeds:check')}
        </Button>
      )}
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon
            size={36}
            variant="subtle"
            aria-label={t('topicFeeds:more', { name })}
            loading={update.isPending || remove.isPending}
          >
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={edit.open}>
            {t('topicFeeds:edit')}
          </Menu.Item>
          {feed.active ? (
            <Menu.Item leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={() => setActive(false)}>
              {t('topicFeeds:pause')}
            </Menu.Item>
          ) : (
            <Menu.Item leftSection={<IconPlayerPlay size={16} aria-hidden />} onClick={() => setActive(true)}>
              {t('topicFeeds:resume')}
            </Menu.Item>
          )}
          <Menu.Divider />
          <Menu.Item
            c="var(--mantine-color-error)"
            leftSection={<IconTrash size={16} aria-hidden />}
            onClick={() => void askToDelete()}
          >
            {t('topicFeeds:delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <EditFeedDialog opened={editing} treeId={treeId} feed={feed} topics={topics} onClose={edit.close} />
    </div>
  )
}
