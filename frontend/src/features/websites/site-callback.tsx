import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { WebsiteCallbackIn, WebsiteOut } from '@/api/types.gen'
import { siteName } from '@/components/channel'
import { Outcome } from '@/components/outcome'
import { connectWebsitePath, websitePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { withTags } from '@/lib/query-tags'
import { finishConnectingQuery } from './api'

interface SiteCallbackProps {
  kind: WebsiteOut['kind']
  params: WebsiteCallbackIn
}

/** The page to which a website sends the browser back, with the password that it has created. */
export function SiteCallback({ kind, params }: SiteCallbackProps) {
  const { t } = useTranslation(['common', 'errors', 'websites'])
  const queryClient = useQueryClient()
  const connection = useQuery(finishConnectingQuery(kind, params))
  const connected = connection.isSuccess
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries(withTags('websites', 'articles', 'accounts'))
  }, [connected, queryClient])
  const isIncomplete = params.state === ''
  const sign = isIncomplete || connection.isError ? 'bad' : connection.isSuccess ? 'good' : 'busy'
  const title = connection.isSuccess
    ? t('websites:connected', { name: connection.data.name })
    : t(sign === 'bad' ? 'websites:page.notConnected' : 'websites:page.connecting', { site: siteName(kind) })
  const actions = sign !== 'busy' && (
    <>
      <Button component={Link} to={paths.websites} variant="default">
        {t('websites:page.toWebsites')}
      </Button>
      {connection.isSuccess ? (
        <Button component={Link} to={websitePath(connection.data.id)}>
          {t('websites:page.toWebsite')}
        </Button>
      ) : (
        <Button component={Link} to={connectWebsitePath}>
          {t('websites:page.startAgain')}
        </Button>
      )}
    </>
  )
  return (
    <Outcome channel={kind} title={title} sign={sign} actions={actions}>
      {isIncomplete
        ? t('websites:page.nothingHere')
        : connection.isError
          ? problemText(t, connection.error)
          : t(connection.isSuccess ? 'websites:page.connectedText' : 'websites:page.connectingText')}
    </Outcome>
  )
}
