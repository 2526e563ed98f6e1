import { Avatar, UnstyledButton } from '@mantine/core'
import { IconDots, IconHeart, IconMessageCircle, IconRepeat, IconStar, IconThumbUp, IconWorld, type Icon } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { useLanguage } from '@/i18n/locale'
import { useFormat } from '@/i18n/use-format'
import { addressOf, namedMentions, textWithLink, type PlacedLink } from '@/lib/post-link'
import { channelName } from './channel'
import { cutForFeed } from './preview-cut'
import { feedOf, type FeedButton } from './preview-feed'
import { PreviewFiles, type PreviewFile } from './preview-files'

const HASHTAG = /(#[\p{L}\p{M}\p{N}_]+)/u

/** Icon and label of each button, in the network's own words. */
const BUTTONS = {
  like: { icon: IconThumbUp, word: 'posts:like' },
  comment: { icon: IconMessageCircle, word: 'posts:comment' },
  repost: { icon: IconRepeat, word: 'posts:repost' },
  share: { icon: IconRepeat, word: 'posts:share' },
  reply: { icon: IconMessageCircle, word: 'posts:reply' },
  boost: { icon: IconRepeat, word: 'posts:boost' },
  favourite: { icon: IconStar, word: 'posts:favourite' },
  repostIt: { icon: IconRepeat, word: 'posts:repostIt' },
  heart: { icon: IconHeart, word: 'posts:like' },
} as const satisfies Record<FeedButton, { icon: Icon; word: string }>

/** A post or a draft. */
interface Shown extends Pick<PostOut, 'content' | 'language'>, Partial<Pick<PostOut, 'first_comment'>> {
  deliveries: readonly Pick<PostOut['deliveries'][number], 'state' | 'called_at' | 'settled_at'>[]
  /** Those that the network gets. */
  files: readonly PreviewFile[]
}

interface PostPreviewProps {
  post: Shown
  channel: string
  /** Name and picture above the post. */
  author: { name: string; pictureUrl: string | null }
  /** Show the whole text at once, as for an approval. */
  isWhole?: boolean
  /** The post's link. */
  link?: PlacedLink
  /** The number of a carousel's pages, if the network shows only the first of them. */
  pages?: number | undefined
}

/** The post as the network's feed shows it, in the app's theme, truncated as the network does. */
export function PostPreview({ post, channel, author, isWhole = false, link, pages }: PostPreviewProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const language = useLanguage()
  const [open, setOpen] = useState(isWhole)
  const feed = feedOf(channel)
  const sent = namedMentions(textWithLink(post.content, link))
  const { shown, isCut } = cutForFeed(sent, feed)
  const live = post.deliveries.find((delivery) => delivery.state === 'published')
  // `settled_at` may be much later, if the outcome was unknown
  const published = live && (live.called_at ?? live.settled_at)
  const text = (
    <p key="text" className="pv-text">
      {feed.pictureFirst && <b>{author.name} </b>}
      {withHashtags(open ? sent.trim() : shown)}
      {isCut && ' '}
      {isCut && (
        <UnstyledButton className="pv-more" lang={language} aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'posts:seeLess' : feed.more)}
        </UnstyledButton>
      )}
    </p>
  )
  const isCard = link?.place === 'card' || link?.place === 'page_card'
  const images = isCard ? (
    <PreviewCard key="images" link={link} picture={post.files[0]} />
  ) : (
    <PreviewFiles key="images" files={post.files} feed={feed} />
  )
  const buttons = (
    <div key="buttons" className="pv-acts" data-wordless={feed.wordless} aria-hidden="true" lang={language}>
      {feed.buttons.map((button) => {
        const { icon: Icon, word } = BUTTONS[button]
        return (
          <span key={button}>
            <Icon size={17} />
            {!feed.wordless && t(word)}
          </span>
        )
      })}
    </div>
  )
  return (
    <article className="pv" lang={post.language}>
      <div className="pv-top" lang={language}>
        <Avatar src={author.pictureUrl} name={author.name} size={40} alt="" />
        <div className="grow two-lines">
          <b>{author.name}</b>
          <small className="factline">
            {published ? format.dayAndTime(published) : t('posts:previewNow')}
            {!feed.wordless && <> · <IconWorld size={12} aria-hidden /></>}
          </small>
        </div>
        <IconDots size={18} aria-hidden />
      </div>
      {feed.pictureFirst ? [images, buttons, text] : [text, images, buttons]}
      {pages !== undefined && (
        <p className="pv-note" lang={language}>
          {t('posts:pagesShown', { network: channelName(channel), shown: post.files.length, pages })}
        </p>
      )}
      {link?.place === 'left_out' && (
        <p className="pv-note" lang={language}>
          {t('posts:link.leftOut')}
        </p>
      )}
      {post.first_comment?.trim() && (
        <p className="pv-comment">
          <b>{author.name}</b> {withHashtags(namedMentions(post.first_comment.trim()))}
        </p>
      )}
    </article>
  )
}

/** The link card, with the data that we send; the data that a network reads from the page is unknown here. */
function PreviewCard({ link, picture }: { link: PlacedLink; picture: Shown['files'][number] | undefined }) {
  const { t } = useTranslation(['common', 'posts'])
  const language = useLanguage()
  const ours = link.place === 'card'
  return (
    <div className="pv-card">
      {ours && picture && <img src={picture.url} alt="" width={picture.width} height={picture.height} />}
      <div className="pv-card-words">
        {ours && link.title && <b>{link.title}</b>}
        {ours && link.description && <span>{link.description}</span>}
        {!ours && <span lang={language}>{t('posts:link.ofPage')}</span>}
        <small>{addressOf(link.url)?.host ?? link.url}</small>
      </div>
    </div>
  )
}

function withHashtags(text: string): ReactNode[] {
  return text.split(HASHTAG).map((part, index) =>
    index % 2 === 1 ? (
      <span key={index} className="pv-tag">
        {part}
      </span>
    ) : (
      part
    ),
  )
}
