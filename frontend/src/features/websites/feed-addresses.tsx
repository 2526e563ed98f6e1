import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import type { FeedOut } from '@/api/types.gen'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import './websites.css'

/** The addresses of a hosted feed, for readers and for feed readers. */
export function FeedAddresses({ page, feed }: { page: string; feed: FeedOut }) {
  const { t } = useTranslation(['common', 'websites'])
  return (
    <section className="panel feed-addresses" aria-labelledby="feed-addresses">
      <h2 className="panel-title" id="feed-addresses">
        {t('websites:feed.title')}
      </h2>
      <p className="prose">{[t('websites:feed.hint'), !feed.indexed && t('websites:feed.hidden')].filter(Boolean).join(' ')}</p>
      <ul>
        <Row name={t('websites:feed.page')} copy={t('websites:feed.copyPage')} address={page} />
        <Row name={t('websites:feed.rss')} copy={t('websites:feed.copyRss')} address={feed.rss_url} />
        <Row name={t('websites:feed.json')} copy={t('websites:feed.copyJson')} address={feed.json_url} />
      </ul>
    </section>
  )
}

function Row({ name, copy, address }: { name: string; copy: string; address: string }) {
  const link = useRef<HTMLAnchorElement>(null)
  return (
    <li>
      <span>{name}</span>
      <a ref={link} className="link" href={address} target="_blank" rel="noreferrer">
        {address}
      </a>
      <CopyButton size="xs" text={address} label={copy} onForbidden={() => markAndCopy(link.current)} />
    </li>
  )
}
