import { Button, Loader, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AccountOut, ChannelKind } from '@/api/types.gen'
import { channelName, ChannelTile } from '@/components/channel'
import { usePageTitle } from '@/components/page'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { accountsQuery, channelsQuery, connectQuery, useStartConnecting, type CallbackParams } from './api'
import { AccountChoice, ConnectDialog } from './dialogs'
import { useReadableProblem } from './use-readable-problem'

/** What has a heading of its own; all else is told by its code's sentence. */
const known = {
  connect_denied: { title: 'socialAccounts:deniedTitle', text: 'socialAccounts:deniedText' },
  connect_expired: { title: 'socialAccounts:expiredTitle', text: 'socialAccounts:expiredText' },
  connect_used: { title: 'socialAccounts:usedTitle', text: 'socialAccounts:usedText' },
} as const

interface ConnectCallbackProps {
  kind: ChannelKind
  params: CallbackParams
  /** Where to go on once it is connected. */
  next?: ReactNode
}

/** Where the network sends the browser back to. */
export function ConnectCallback({ kind, params, next }: ConnectCallbackProps) {
  const { t } = useTranslation(['common', 'socialAccounts', 'errors'])
  const format = useFormat()
  const told = useReadableProblem()
  const queryClient = useQueryClient()
  const connecting = useQuery(connectQuery(kind, params))
  const start = useStartConnecting()
  const [chosen, setChosen] = useState<readonly AccountOut[]>([])
  const [asking, setAsking] = useState(false)
  const channel = useQuery({ ...channelsQuery, enabled: connecting.isError }).data?.find((one) => one.kind === kind)
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
      <Outcome kind={kind} title={t('socialAccounts:failedTitle', { network })} sign="bad" actions={back}>
        {t('socialAccounts:nothingHere')}
      </Outcome>
    )
  if (connecting.isSuccess && connecting.data.choice && chosen.length === 0) {
    // whoever came for a new login of these has it
    const again = connecting.data.accounts.map(({ name }) => name)
    return (
      <Outcome
        kind={kind}
        title={t(again.length > 0 ? 'socialAccounts:connectedTitle' : 'socialAccounts:chooseTitle', { network })}
        sign={again.length > 0 ? 'good' : undefined}
        form={
          <AccountChoice choice={connecting.data.choice} kind={kind} onChosen={setChosen} back={back} />
        }
      >
        {again.length > 0 ? t('socialAccounts:chooseMore', { names: format.list(again) }) : t('socialAccounts:chooseText')}
      </Outcome>
    )
  }
  if (connecting.isSuccess)
    return (
      <Outcome kind={kind} title={t('socialAccounts:connectedTitle', { network })} sign="good" actions={
          <>
            {next}
            {back}
          </>
        }>
        {t('socialAccounts:connectedText', { names: format.list([...connecting.data.accounts, ...chosen].map(({ name }) => name)) })}
      </Outcome>
    )
  if (connecting.isError) {
    const texts = Object.entries(known).find(([code]) => code === connecting.error.code)?.[1]
    const problem = start.error ?? connecting.error
    const hasForm = channel !== undefined && channel.connection.fields.length > 0
    return (
      <>
        <Outcome
          kind={kind}
          title={t(texts?.title ?? 'socialAccounts:failedTitle', { network })}
          sign="bad"
          actions={
            <>
              {back}
              {channel && (
                <Button
                  loading={start.isPending || start.isSuccess}
                  onClick={() => {
                    if (hasForm) setAsking(true)
                    else start.mutate({ path: { kind }, body: {} })
                  }}
                >
                  {t('socialAccounts:startAgain')}
                </Button>
              )}
            </>
          }
        >
          {texts && !start.error ? t(texts.text, { network }) : problemText(t, told(problem))}
        </Outcome>
        {hasForm && (
          <ConnectDialog
            channel={channel}
            opened={asking}
            onClose={() => setAsking(false)}
            onConnected={() => setAsking(false)}
          />
        )}
      </>
    )
  }
  return (
    <Outcome kind={kind} title={t('socialAccounts:connectingTitle', { network })} sign="busy">
      {t('socialAccounts:connectingText', { network })}
    </Outcome>
  )
}

interface OutcomeProps {
  kind: string
  title: string
  /** None while there is something to decide. */
  sign?: 'busy' | 'good' | 'bad'
  actions?: ReactNode
  form?: ReactNode
  children: ReactNode
}

function Outcome({ kind, title, sign, actions, form, children }: OutcomeProps) {
  usePageTitle(title)
  return (
    <section className="outcome" role={sign === 'bad' ? 'alert' : 'status'}>
      <span className="outcome-sign" data-sign={sign}>
        <ChannelTile channel={kind} size={56} />
        {sign && (
          <span className="outcome-how">
            {sign === 'busy' && <Loader size={18} aria-hidden />}
            {sign === 'good' && <IconCheck size={18} stroke={2.4} aria-hidden />}
            {sign === 'bad' && <IconX size={18} stroke={2.4} aria-hidden />}
          </span>
        )}
      </span>
      <Title order={1}>{title}</Title>
      <p>{children}</p>
      {form}
      {actions && <div className="empty-actions">{actions}</div>}
    </section>
  )
}
