import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelKind, DeliveryOut, PostOut } from '@/api/types.gen'
import { ChannelIcon, channelName, firstChannel } from '@/components/channel'
import { isRemoved, lacksComment } from '@/components/delivery-status'
import { PostPreview } from '@/components/post-preview'
import { useFormat } from '@/i18n/use-format'
import { placeLink, sentLength, textWithLink } from '@/lib/post-link'
import { cutFrom, sentFiles } from '@/lib/sent-files'
import { accountsQuery, channelsQuery } from './api'
import { textFor } from '@/features/posts/composer/composer-values'
import { shownDeliveries, destinationsOf } from './post-state'
import { shownContent } from '@/features/posts/composer/shown-content'

/** Return the title of the previews. */
export function usePreviewsTitle({ deliveries, account_ids }: PostOut, accounts?: readonly AccountOut[]): string {
  const { t } = useTranslation(['common', 'posts'])
  const shown = shownDeliveries(deliveries)
  const channels = new Set(destinationsOf({ deliveries: shown, account_ids }, accounts).map(({ channel }) => channel))
  const tense = shown.length > 0 && shown.every(isRemoved) ? 'were' : 'are'
  const [channel = firstChannel] = channels
  return channels.size === 1 ? t(`posts:preview.${tense}`, { network: channelName(channel) }) : t(`posts:previews.${tense}`)
}

/** The previews of a post: each text once, with its accounts if there are several texts. */
export function PostPreviews({ post, isWhole }: { post: PostOut; isWhole?: boolean }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const accounts = useQuery(accountsQuery)
  const channels = useQuery(channelsQuery)
  const texts = textsOf(post, accounts.data ?? [])
  if (texts.length === 0 && !post.content.trim() && post.files.length === 0) return <p className="panel-note">{t('posts:noPreview')}</p>
  // written already, it is shown as one network has it
  const all = texts.length > 0 ? texts : [{ key: '', content: post.content, channel: firstChannel, to: [], deliveries: [], takesComment: true } satisfies Text]
  return all.map(({ key, content, channel, to, deliveries, takesComment }) => {
    const limits = channels.data?.find(({ kind }) => kind === channel)?.limits
    const limit = limits?.counting === 'weighted' ? undefined : limits?.max_characters
    const hasComment = takesComment && !deliveries.some(lacksComment)
    const shown = shownContent(hasComment ? post : { ...post, first_comment: '' }, limits)
    const files = sentFiles(post.files, limits)
    const link = placeLink(post.link, post.files, limits)
    const used = sentLength(textWithLink(content, link), limits)
    return (
      <Fragment key={key}>
        {(limit !== undefined || texts.length > 1) && (
          <div className="pv-count">
            {texts.length > 1 && (
              <b>
                <ChannelIcon channel={channel} size={15} /> {format.list(to.map(({ name }) => name))}
              </b>
            )}
            {limit !== undefined && (
              <span className="panel-aside num" data-over={used > limit || undefined}>
                {t('posts:characters', { used, limit })}
              </span>
            )}
          </div>
        )}
        <PostPreview
          channel={channel}
          post={{ ...shown, content, deliveries, files }}
          author={to[0] ?? { name: '', pictureUrl: null }}
          link={link}
          pages={cutFrom(post.files, files)}
          isWhole={isWhole}
        />
      </Fragment>
    )
  })
}

interface Text {
  key: string
  content: string
  channel: ChannelKind
  to: { name: string; pictureUrl: string | null }[]
  deliveries: PostOut['deliveries']
  /** Whether it has, or will have, the post's first comment, if its network supports one. */
  takesComment: boolean
}

/** Return the texts that are or will be published; for a draft, those that would be. */
function textsOf(post: PostOut, accounts: readonly AccountOut[]): Text[] {
  const deliveries = shownDeliveries(post.deliveries)
  const texts = new Map<string, Text>()
  const add = (content: string, channel: ChannelKind, account: AccountOut | undefined, name: string, delivery?: DeliveryOut) => {
    const isOut = delivery?.state === 'published'
    const left = delivery?.comment_left
    const key = `${channel} ${content}`
    const text = texts.get(key) ?? { key, content, channel, to: [], deliveries: [], takesComment: false }
    text.takesComment ||= isOut ? !left : !account?.first_comment_error
    text.to.push({ name: account?.name ?? name, pictureUrl: account?.picture_url ?? null })
    texts.set(key, text)
    return text
  }
  for (const delivery of deliveries) {
    const account = accounts.find(({ id }) => id === delivery.account_id)
    add(delivery.content ?? post.content, delivery.channel, account, delivery.account_name, delivery).deliveries.push(delivery)
  }
  if (deliveries.length === 0) {
    // in the order in which they were chosen, as where it goes is listed
    for (const account of post.account_ids.flatMap((chosen) => accounts.filter(({ id }) => id === chosen)))
      add(textFor(post, account), account.kind, account, account.name)
  }
  return [...texts.values()]
}
