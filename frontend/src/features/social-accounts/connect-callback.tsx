import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AccountOut, ChannelKind } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { Outcome } from '@/components/outcome'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { accountsQuery, channelsQuery, connectQuery, useStartConnecting, type CallbackParams } from './api'
import { AccountChoice, ConnectDialog } from './dialogs'
import { useReadableProblem } from './use-readable-problem'

/** Titles and texts of the problems that a person can solve. Others show the text of their code. */
const TEXTS = {
  connect_denied: { title: 'socialAccounts:deniedTitle', text: 'socialAccounts:deniedText' },
  connect_expired: { title: 'socialAccounts:expiredTitle', text: 'socialAccounts:expiredText' },
  connect_used: { title: 'socialAccounts:usedTitle', text: 'socialAccounts:usedText' },
} as const

interface ConnectCallbackProps {
  kind: ChannelKind
  params: CallbackParams
  /** A link to the next step once the account is connected. */
  next?: ReactNode
}

/** The page to which a network redirects after the consent. */
export function ConnectCallback({ kind, params, next }: ConnectCallbackProps) {
  const { t } = useTranslation(['common', 'socialAccounts', 'errors'])
  const format = useFormat()
  const readable = useReadableProblem()
  const queryClient = useQueryClient()
  const connecting = useQuery(connectQuery(kind, params))
  const start = useStartConnecting()
  const [chosen, setChosen] = useState<readonly AccountOut[]>([])
  const [isAsking, setIsAsking] = useState(false)
  const channel = useQuery({ ...channelsQuery, enabled: connecting.isError }).data?.find((candidate) => candidate.kind === kind)
  const network = channelName(kind)
  const connected = connecting.isSuccess
  useEffect(() => {
    if (connected) void queryClient.invalidateQueries({ queryKey: accountsQuery.queryKey })
  }, [connected, queryClient])

  const back = (
    <Button component={Link} to={paths.account} variant="default">
      {t('socialAccounts:back')}
    </Button>
  )
  if (params.state === '')
    return (
      <Outcome channel={kind} title={t('socialAccounts:failedTitle', { network })} sign="bad" actions={back}>
        {t('socialAccounts:nothingHere')}
      </Outcome>
    )
  if (connecting.isSuccess && connecting.data.choice && chosen.length === 0) {
    // accounts that were connected before are reconnected already
    const reconnectedNames = connecting.data.accounts.map(({ name }) => name)
    return (
      <Outcome
        channel={kind}
        title={t(reconnectedNames.length > 0 ? 'socialAccounts:connectedTitle' : 'socialAccounts:chooseTitle', { network })}
        sign={reconnectedNames.length > 0 ? 'good' : undefined}
        form={
          <AccountChoice choice={connecting.data.choice} kind={kind} onChosen={setChosen} back={back} />
        }
      >
        {reconnectedNames.length > 0 ? t('socialAccounts:chooseMore', { names: format.list(reconnectedNames) }) : t('socialAccounts:chooseText')}
      </Outcome>
    )
  }
  if (connecting.isSuccess)
    return (
      <Outcome channel={kind} title={t('socialAccounts:connectedTitle', { network })} sign="good" actions={
          <>
            {next}
            {back}
          </>
        }>
        {t('socialAccounts:connectedText', { names: format.list([...connecting.data.accounts, ...chosen].map(({ name }) => name)) })}
      </Outcome>
    )
  if (connecting.isError) {
    const texts = Object.entries(TEXTS).find(([code]) => code === connecting.error.code)?.[1]
    const problem = start.error ?? connecting.error
    const hasForm = channel !== undefined && channel.connection.fields.length > 0
    return (
      <>
        <Outcome
          channel={kind}
          title={t(texts?.title ?? 'socialAccounts:failedTitle', { network })}
          sign="bad"
          actions={
            <>
              {back}
              {channel && (
                <Button
                  loading={start.isPending || start.isSuccess}
                  onClick={() => {
                    if (hasForm) setIsAsking(true)
                    else start.mutate({ path: { kind }, body: {} })
                  }}
                >
                  {t('socialAccounts:startAgain')}
                </Button>
              )}
            </>
          }
        >
          {texts && !start.error ? t(texts.text, { network }) : problemText(t, readable(problem))}
        </Outcome>
        {hasForm && (
          <ConnectDialog
            channel={channel}
            opened={isAsking}
            onClose={() => setIsAsking(false)}
            onConnected={() => setIsAsking(false)}
          />
        )}
      </>
    )
  }
  return (
    <Outcome channel={kind} title={t('socialAccounts:connectingTitle', { network })} sign="busy">
      {t('socialAccounts:connectingText', { network })}
    </Outcome>
  )
}
