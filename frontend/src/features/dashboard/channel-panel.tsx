import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelCountsOut } from '@/api/types.gen'
import { channelName, ChannelTile, isSite } from '@/components/channel'
import { Panel } from '@/components/panel'
import { useFormat } from '@/i18n/use-format'
import { chartColour } from '@/lib/colours'

/** The number of posts per channel and the results of its deliveries, as a list with bars. */
export function ChannelPanel({ channels }: { channels: readonly ChannelCountsOut[] }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const format = useFormat()
  const most = Math.max(...channels.map(({ posts }) => posts))
  return (
    <Panel title={t('dashboard:channels')}>
      <ul className="plain-list channel-bars">
        {channels.map(({ channel, posts, published, failed }) => (
          <li key={channel}>
            <ChannelTile channel={channel} size={32} />
            <div className="grow two-lines">
              <div className="channel-count">
                <b>{channelName(channel)}</b>
                <span className="num">{t(isSite(channel) ? 'dashboard:articles' : 'dashboard:posts', { count: posts })}</span>
              </div>
              <span
                className="share"
                aria-hidden
                style={{ '--share': most ? posts / most : 0, '--share-colour': chartColour(channel) } as CSSProperties}
              />
              <small className="num">
                {published + failed === 0
                  ? t('dashboard:channelIdle')
                  : [
                      t('dashboard:channelPublished', { count: published }),
                      failed > 0 && t('dashboard:channelFailed', { failed: format.number(failed) }),
                    ]
                      .filter(Boolean)
                      .join(' · ')}
              </small>
            </div>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
