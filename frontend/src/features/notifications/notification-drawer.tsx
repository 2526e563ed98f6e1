import { Button, Drawer } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCalendarX, IconChecks, IconCoin, IconCreditCard, IconMailX, IconMessageX, IconPlayerPause, IconPlugConnectedX, IconSettings, IconSpeakerphone, IconTrashX, IconWorldUpload, type Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { NotificationKind, NotificationOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { ListFoot } from '@/components/list-foot'
import { RowSkeletons } from '@/components/skeletons'
import { StatusIcon, statusStyle, type Status } from '@/components/status'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'
import { useMarkAllRead, useMarkRead, useNotifications } from './api'
import { choicesPath, notificationPath } from './links'
import './notifications.css'

interface Look {
  status: Status
  /** The icon, if not that of the status. */
  icon?: Icon
}

const LOOKS = {
  approval_needed: { status: 'waiting' },
  post_failed: { status: 'failed' },
  post_waits: { status: 'held' },
  run_failed: { status: 'failed' },
  removal_failed: { status: 'failed', icon: IconTrashX },
  update_failed: { status: 'failed', icon: IconWorldUpload },
  takedown_failed: { status: 'failed', icon: IconTrashX },
  comment_failed: { status: 'failed', icon: IconMessageX },
  announcement_ready: { status: 'waiting', icon: IconSpeakerphone },
  announcement_failed: { status: 'failed', icon: IconSpeakerphone },
  planning_failed: { status: 'failed', icon: IconCalendarX },
  post_unknown: { status: 'unknown' },
  account_expires: { status: 'waiting', icon: IconPlugConnectedX },
  account_reconnect: { status: 'waiting', icon: IconPlugConnectedX },
  assistant_paused_itself: { status: 'failed', icon: IconPlayerPause },
  budget_reached: { status: 'retrying', icon: IconCoin },
  trial_ending: { status: 'waiting', icon: IconCreditCard },
  payment_failed: { status: 'failed', icon: IconCreditCard },
  subscription_ended: { status: 'failed', icon: IconPlayerPause },
  allowance_reached: { status: 'retrying', icon: IconCoin },
  email_refused: { status: 'failed', icon: IconMailX },
} satisfies Record<NotificationKind, Look>

interface NotificationDrawerProps {
  opened: boolean
  onClose: () => void
}

/** What the user should look at, newest first. */
export default function NotificationDrawer({ opened, onClose }: NotificationDrawerProps) {
  const { t } = useTranslation(['common', 'notifications'])
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={420}
      returnFocus={false}
      title={t('notifications:title')}
      closeButtonProps={{ 'aria-label': t('notifications:close') }}
    >
      <List onLeave={onClose} />
    </Drawer>
  )
}

function List({ onLeave }: { onLeave: () => void }) {
  const { t } = useTranslation(['common', 'notifications'])
  const list = useNotifications()
  const markRead = useMarkRead()
  const all = useMarkAllRead()
  const problemText = useProblemText()
  const complain = (problem: Problem) =>
    void notifications.show({ color: 'red', message: `${t('notifications:readFailed')} ${problemText(problem)}` })
  if (list.isError && !list.data)
    return <Failure title={t('notifications:listFailed')} problem={list.error} onRetry={() => void list.refetch()} />
  if (!list.data) return <RowSkeletons rows={5} />
  const items = list.data.pages.flatMap((page) => page.items)
  const last = list.data.pages.at(-1)
  const newest = items[0]
  const choose = (
    <Button
      component={Link}
      to={choicesPath}
      size="xs"
      variant="subtle"
      leftSection={<IconSettings size={15} aria-hidden />}
      onClick={onLeave}
    >
      {t('notifications:choose')}
    </Button>
  )
  if (!newest)
    return <EmptyState title={t('notifications:emptyTitle')} text={t('notifications:emptyText')} actions={choose} />
  return (
    <>
      <div className="notices-bar">
        <Button
          size="xs"
          variant="default"
          leftSection={<IconChecks size={15} aria-hidden />}
          disabled={list.data.pages[0]?.unread === 0}
          loading={all.isPending}
          onClick={() => all.mutate({ body: { until: newest.created_at } }, { onError: complain })}
        >
          {t('notifications:allRead')}
        </Button>
        {choose}
      </div>
      <ul className="notice-list">
        {items.map((item) => (
          <Row
            key={item.id}
            item={item}
            onFollow={() => {
              if (!item.read_at) markRead.mutate({ path: { notification_id: item.id } }, { onError: complain })
              onLeave()
            }}
          />
        ))}
      </ul>
      <ListFoot
        hasMore={list.hasNextPage}
        loading={list.isFetchingNextPage}
        onMore={() => void list.fetchNextPage()}
      >
        {t('notifications:count', { count: last?.total ?? 0 })}
      </ListFoot>
    </>
  )
}

/** Return the key of the sentence, which differs for articles, websites, and assistants that write for one. */
function sentenceOf({ kind, of_article: ofArticle }: NotificationOut) {
  if (ofArticle && (kind === 'run_failed' || kind === 'removal_failed' || kind === 'account_reconnect'))
    return `notifications:ofArticle.${kind}` as const
  return `notifications:sentence.${kind}` as const
}

function Row({ item, onFollow }: { item: NotificationOut; onFollow: () => void }) {
  const { t } = useTranslation(['common', 'notifications'])
  const format = useFormat()
  const { status, icon: Sign }: Look = LOOKS[item.kind]
  return (
    <li>
      <Link to={notificationPath(item)} className="notice" data-unread={item.read_at === null} onClick={onFollow}>
        <span className="notice-sign" style={statusStyle(status)}>
          {Sign ? <Sign size={16} stroke={1.9} aria-hidden /> : <StatusIcon status={status} size={16} />}
        </span>
        <span className="two-lines grow">
          <span className="notice-text">
            {t(sentenceOf(item), {
              assistant: item.assistant_name ?? t('notifications:assistant'),
              title: item.post_title || t(item.of_article ? 'notifications:ofArticle.untitled' : 'notifications:untitled'),
              account: item.account_name,
              network: item.channel && channelName(item.channel),
            })}
          </span>
          <small className="num">
            <time dateTime={item.created_at}>{format.dayAndTime(item.created_at)}</time>
          </small>
        </span>
        {item.read_at === null && <i className="notice-new" role="img" aria-label={t('notifications:unread')} />}
      </Link>
    </li>
  )
}
