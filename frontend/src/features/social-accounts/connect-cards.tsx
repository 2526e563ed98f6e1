import { Modal, Title } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ChannelKind, ChannelOut, ChoiceOut } from '@/api/types.gen'
import { ChannelTile } from '@/components/channel'
import { useFormat } from '@/i18n/use-format'
import { problemText } from '@/lib/problems'
import { useStartConnecting } from './api'
import { AccountChoice, ConnectDialog } from './dialogs'

/** Networks that are announced but not supported yet. */
const COMING = [
  { kind: 'whatsapp', name: 'WhatsApp Business', hint: 'comingSoon' },
] as const

export const CONNECT_ID = 'connect'

export function ConnectCards({ channels, another }: { channels: readonly ChannelOut[]; another: boolean }) {
  const { t } = useTranslation(['common', 'socialAccounts', 'errors'])
  const format = useFormat()
  const start = useStartConnecting()
  const knownKinds = new Set<string>(channels.map(({ kind }) => kind))
  const busy = start.isPending || Boolean(start.data?.authorize_url)
  const [dialogChannel, setDialogChannel] = useState<ChannelOut>()
  const [choice, setChoice] = useState<{ choice: ChoiceOut; kind: ChannelKind }>()
  const hint = ({ kind, configured, connection, label }: ChannelOut) => {
    if (!configured) return t('socialAccounts:notConfigured', { settings: format.list(connection.settings) })
    // a network may be newer than the texts, so this key can't be checked against them
    const usual = connection.consent ? 'socialAccounts:connectHint' : 'socialAccounts:formHint'
    return t([`socialAccounts:hintOf.${kind}`, usual] as 'socialAccounts:connectHint'[], { network: label })
  }
  return (
    <section aria-labelledby={CONNECT_ID}>
      <Title order={2} className="subhead" id={CONNECT_ID}>
        {t(another ? 'socialAccounts:connectAnother' : 'socialAccounts:connectTitle')}
      </Title>
      {start.error && (
        <div className="form-errors notice" role="alert">
          {t('socialAccounts:startFailed')} {problemText(t, start.error)}
        </div>
      )}
      <div className="connect">
        {channels.map((channel) => (
          <button
            type="button"
            key={channel.kind}
            className="connect-card"
            disabled={!channel.configured || busy}
            aria-busy={busy || undefined}
            onClick={() => {
              if (channel.connection.fields.length > 0) setDialogChannel(channel)
              else start.mutate({ path: { kind: channel.kind }, body: {} })
            }}
          >
            <ChannelTile channel={channel.kind} size={36} />
            <span className="two-lines">
              <b>{channel.label}</b>
              <small>{hint(channel)}</small>
            </span>
          </button>
        ))}
        {COMING.filter(({ kind }) => !knownKinds.has(kind)).map(({ kind, name, hint }) => (
          <button type="button" key={kind} className="connect-card" disabled>
            <ChannelTile channel={kind} size={36} />
            <span className="two-lines">
              <b>{name}</b>
              <small>{t(`socialAccounts:${hint}`)}</small>
            </span>
          </button>
        ))}
      </div>
      {dialogChannel && (
        <ConnectDialog
          channel={dialogChannel}
          opened
          onClose={() => setDialogChannel(undefined)}
          onConnected={({ choice }) => {
            setDialogChannel(undefined)
            setChoice(choice ? { choice, kind: dialogChannel.kind } : undefined)
          }}
        />
      )}
      {choice && (
        <Modal opened onClose={() => setChoice(undefined)} title={t('socialAccounts:choose')}>
          <AccountChoice {...choice} onChosen={() => setChoice(undefined)} />
        </Modal>
      )}
    </section>
  )
}
