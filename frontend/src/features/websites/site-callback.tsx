import { Button, Loader, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { Link } from 'react-router'
import type { WebsiteCallbackIn, WebsiteOut } from '@/api/types.gen'
import { ChannelTile, siteName } from '@/components/channel'
import { usePageTitle } from '@/components/page'
import { useTranslation } from '@/i18n/translation'
import { connectWebsitePath, websitePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { withTags } from '@/lib/query-tags'
import { comeBackQuery } from './api'

interface SiteCallbackProps {
  kind: WebsiteOut['kind']
  told: WebsiteCallbackIn
}

/** Where a site sends the browser back to, with the password that it has made. */
export function SiteCallback({ kind, told }: SiteCallbackProps) {
  const { t } = useTranslation()
  const queryClient = useQueryClient()
  const coming = useQuery(comeBackQuery(kind, told))
  const connected = coming.isSuccess
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries(withTags('websites', 'articles', 'accounts'))
  }, [connected, queryClient])
  const lost = told.state === ''
  const sign = lost || coming.isError ? 'bad' : coming.isSuccess ? 'good' : 'busy'
  const title = coming.isSuccess
    ? t('websites.connected', { name: coming.data.name })
    : t(sign === 'bad' ? 'sitePage.notConnected' : 'sitePage.connecting', { site: siteName(kind) })
  usePageTitle(title)
  return (
    <section className="outcome" role={sign === 'bad' ? 'alert' : 'status'}>
      <span className="outcome-sign" data-sign={sign}>
        <ChannelTile channel={kind} size={56} />
        <span className="outcome-how">
          {sign === 'busy' && <Loader size={18} aria-hidden />}
          {sign === 'good' && <IconCheck size={18} stroke={2.4} aria-hidden />}
          {sign === 'bad' && <IconX size={18} stroke={2.4} aria-hidden />}
        </span>
      </span>
      <Title order={1}>{title}</Title>
      <p>
        {lost
          ? t('sitePage.nothingHere')
          : coming.isError
            ? problemText(t, coming.error)
            : t(coming.isSuccess ? 'sitePage.connectedText' : 'sitePage.connectingText')}
      </p>
      {sign !== 'busy' && (
        <div className="empty-actions">
          <Button component={Link} to={paths.websites} variant="default">
            {t('sitePage.toWebsites')}
          </Button>
          {coming.isSuccess ? (
            <Button component={Link} to={websitePath(coming.data.id)}>
              {t('sitePage.toWebsite')}
            </Button>
          ) : (
            <Button component={Link} to={connectWebsitePath}>
              {t('sitePage.startAgain')}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}
