import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { WebsiteOut } from '@/api/types.gen'
import { channelName, ChannelTile } from '@/components/channel'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { isLanguage } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { shortAddress } from './address'
import { websitesQuery } from './api'
import { websitePath } from '@/lib/article-paths'
import { WebsiteActions, type Check } from './website-actions'
import { WebsiteState } from './website-state'
import './websites.css'

interface WebsiteListProps {
  check: Check
  onConnect: () => void
}

/** The connected websites; without any, the start of connecting one. */
export function WebsiteList({ check, onConnect }: WebsiteListProps) {
  const { t } = useTranslation(['common', 'websites'])
  const format = useFormat()
  const websites = useQuery(websitesQuery)
  if (websites.isPending) return <RowSkeletons rows={3} />
  if (websites.isError && !websites.data)
    return <Failure title={t('websites:listFailed')} problem={websites.error} onRetry={() => void websites.refetch()} />
  if (websites.data.length === 0)
    return (
      <EmptyState
        title={t('websites:emptyTitle')}
        text={t('websites:emptyText')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={onConnect}>
            {t('websites:connect')}
          </Button>
        }
      />
    )
  const columns: Column<WebsiteOut>[] = [
    {
      key: 'name',
      header: t('websites:website'),
      card: 'wide',
      cell: ({ id, name, kind, url, handle }) => (
        <div className="site-name">
          <ChannelTile channel={kind} size={36} />
          <div className="two-lines">
            <Link className="rowlink" to={websitePath(id)}>
              {name}
            </Link>
            <small>{[channelName(kind), shortAddress(url), handle && t('websites:as', { handle })].filter(Boolean).join(' · ')}</small>
          </div>
        </div>
      ),
    },
    { key: 'state', header: t('websites:status'), card: 'wide', cell: (website) => <WebsiteState website={website} /> },
    {
      key: 'language',
      header: t('websites:language'),
      card: 'start',
      spare: true,
      cell: ({ language }) => (
        <Labelled label={t('websites:language')}>{isLanguage(language) ? t(`languages.${language}`) : language}</Labelled>
      ),
    },
    {
      key: 'articles',
      header: t('websites:articles'),
      numeric: true,
      card: 'start',
      cell: ({ articles }) => <Labelled label={t('websites:articles')}>{format.number(articles)}</Labelled>,
    },
    {
      key: 'used',
      header: t('websites:lastUsed'),
      card: 'start',
      cell: ({ last_used_at: used }) => (
        <Labelled label={t('websites:lastUsed')}>
          {used ? <time dateTime={used}>{format.dayAndTime(used)}</time> : <span className="dim">{t('websites:never')}</span>}
        </Labelled>
      ),
    },
    {
      key: 'actions',
      header: <span className="vh">{t('websites:actions')}</span>,
      numeric: true,
      card: 'end',
      cell: (website) => (
        <span className="site-actions">
          <WebsiteActions website={website} check={check} />
        </span>
      ),
    },
  ]
  return <DataList label={t('websites:title')} columns={columns} rows={websites.data} rowKey={({ id }) => id} />
}

/** A value whose column has no head on a phone's card. */
function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <span className="site-label">{label}: </span>
      {children}
    </>
  )
}
