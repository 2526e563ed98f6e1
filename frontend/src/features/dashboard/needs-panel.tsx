import { Button } from '@mantine/core'
import { IconPlug } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AccountToReconnectOut, PostOut } from '@/api/types.gen'
import { Acknowledge } from '@/components/acknowledge'
import { channelName, ChannelTile } from '@/components/channel'
import { Panel } from '@/components/panel'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { problemText, type Problem } from '@/lib/problems'
import { hasUnclear } from './api'
import { postPath } from './post-rows'

export interface Needs {
  posts: PostOut[]
  /** All of them, also those that are not listed. */
  total: number
  disconnected: AccountToReconnectOut[]
}

export const needsCount = ({ total, disconnected }: Needs) => total + disconnected.length

/** Everything that stands still until a person has looked at it. */
export function NeedsPanel({ needs }: { needs: Needs }) {
  const { t } = useTranslation()
  const { posts, total, disconnected } = needs
  const unclear = posts.filter(hasUnclear)
  const failed = posts.filter((post) => !hasUnclear(post))
  const more = total - posts.length
  if (needsCount(needs) === 0) return null
  return (
    <Panel
      title={t('dashboard.needs')}
      flush
      aside={
        <Link className="link" to={paths.posts}>
          {t('dashboard.openAll')}
        </Link>
      }
    >
      <ul className="rows plain-list">
        {unclear.map((post) => (
          <NeedyPost key={post.id} post={post} state="unknown" />
        ))}
        {disconnected.map((account) => (
          <li key={account.id} className="attn">
            <ChannelTile channel={account.channel} size={42} />
            <div className="grow two">
              <b>{t('dashboard.reconnectTitle', { name: account.name })}</b>
              <small>{t('dashboard.reconnectText')}</small>
            </div>
            <Button component={Link} to={paths.account} size="xs" variant="default" leftSection={<IconPlug size={14} aria-hidden />}>
              {t('dashboard.reconnect')}
            </Button>
          </li>
        ))}
        {failed.map((post) => (
          <NeedyPost key={post.id} post={post} state="failed" />
        ))}
        {more > 0 && (
          <li>
            <Link className="link" to={paths.posts}>
              {t('dashboard.needsMore', { count: more })}
            </Link>
          </li>
        )}
      </ul>
    </Panel>
  )
}

function NeedyPost({ post, state }: { post: PostOut; state: 'unknown' | 'failed' }) {
  const { t } = useTranslation()
  const format = useFormat()
  const delivery = post.deliveries.find((found) => found.state === state)
  const code = delivery?.error_code as Problem['code'] | undefined
  const reason =
    state === 'unknown'
      ? t('dashboard.unknown', { channel: channelName(delivery?.channel ?? '') })
      : code
        ? problemText(t, { code, params: {} })
        : t('dashboard.failedText')
  return (
    <li className="attn">
      {post.files[0] ? <img className="thumb" src={post.files[0].url} alt="" /> : delivery && <ChannelTile channel={delivery.channel} size={42} />}
      <div className="grow two">
        <b>{post.topic_title || post.content.slice(0, 80)}</b>
        <small>{reason}</small>
        <small className="num">
          {[post.assistant_name, format.dayAndTime(post.planned_at ?? post.created_at)].filter(Boolean).join(' · ')}
        </small>
      </div>
      <Button
        component={Link}
        to={postPath(post)}
        size="xs"
        variant={state === 'unknown' ? 'filled' : 'default'}
        color={state === 'unknown' ? 'saffron' : undefined}
      >
        {t('dashboard.look')}
      </Button>
      {state === 'failed' && <Acknowledge postId={post.id} name={post.topic_title || post.content.slice(0, 80)} />}
    </li>
  )
}
