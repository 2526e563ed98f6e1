import { Button, Group, Select } from '@mantine/core'
import { useForm } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SiteKindOut, WebsiteOut } from '@/api/types.gen'
import { ChannelTile } from '@/components/channel'
import { ConnectionFields, connectionValues, type ConnectionValues } from '@/components/connection-fields'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { FormModal } from '@/components/form-modal'
import { RowSkeletons } from '@/components/skeletons'
import { useFormProblem } from '@/components/use-form-problem'
import { isLanguage, languages, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useFormat } from '@/i18n/use-format'
import { feedAddressOf } from '@/lib/slug'
import { siteKindsQuery, useConnectWebsite, useLeaveForSite } from './api'

interface ConnectDialogProps {
  opened: boolean
  /** The website to reconnect, whose known values fill the form. */
  website?: WebsiteOut
  onClose: () => void
  onConnected?: (website: WebsiteOut) => void
}

/** The choice of the kind of website, if there are several, and its form as the server describes it. */
export function ConnectDialog({ opened, website, onClose, onConnected }: ConnectDialogProps) {
  const { t } = useTranslation(['common', 'websites'])
  const kinds = useQuery({ ...siteKindsQuery, enabled: opened })
  const [chosen, setChosen] = useState<string | null>(null)
  const usable = kinds.data?.filter(({ configured }) => configured) ?? []
  const only = kinds.data?.length === 1 ? usable[0]?.kind : undefined
  const kind = kinds.data?.find((candidate) => candidate.kind === (website?.kind ?? chosen ?? only))
  function title() {
    if (website) return t('websites:reconnectTitle', { name: website.name })
    return kind ? t('websites:connectKind', { kind: kind.label }) : t('websites:connectTitle')
  }
  return (
    <FormModal
      opened={opened}
      onClose={() => {
        setChosen(null)
        onClose()
      }}
      title={title()}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {(close, onTyped) =>
        kind ? (
          <ConnectForm
            key={kind.kind}
            kind={kind}
            website={website}
            onBack={website || only ? undefined : () => setChosen(null)}
            onTyped={() => onTyped(true)}
            onClose={close}
            onConnected={(connected) => {
              close()
              onConnected?.(connected)
            }}
          />
        ) : kinds.data ? (
          <KindChoice kinds={kinds.data} onChoose={setChosen} />
        ) : kinds.isError ? (
          <Failure title={t('websites:kindsFailed')} problem={kinds.error} onRetry={() => void kinds.refetch()} />
        ) : (
          <RowSkeletons rows={2} />
        )
      }
    </FormModal>
  )
}

function KindChoice({ kinds, onChoose }: { kinds: readonly SiteKindOut[]; onChoose: (kind: string) => void }) {
  const { t } = useTranslation(['common', 'websites'])
  const format = useFormat()
  if (kinds.length === 0) return <p className="prose">{t('websites:noKinds')}</p>
  return (
    <div className="stack">
      <p className="prose">{t('websites:choose')}</p>
      <div className="site-kinds">
        {kinds.map(({ kind, label, configured, connection }) => (
          <button type="button" key={kind} className="connect-card" disabled={!configured} onClick={() => onChoose(kind)}>
            <ChannelTile channel={kind} size={36} />
            <span className="two-lines">
              <b>{label}</b>
              <small>
                {configured ? t(hintOf(kind)) : t('websites:notConfigured', { settings: format.list(connection.settings) })}
              </small>
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}

/** Return the keys of a kind's hint; kinds without own texts use the general one. */
const hintOf = (kind: string) => [`websites:kindHints.${kind}`, 'websites:kindHint'] as 'websites:kindHint'[]

interface ConnectFormProps {
  kind: SiteKindOut
  website?: WebsiteOut
  /** Go back to the choice of the kind. */
  onBack?: () => void
  onTyped: () => void
  onClose: () => void
  onConnected: (website: WebsiteOut) => void
}

function ConnectForm({ kind, website, onBack, onTyped, onClose, onConnected }: ConnectFormProps) {
  const { t } = useTranslation(['common', 'socialAccounts', 'websites'])
  const userLanguage = useLanguage()
  const connect = useConnectWebsite()
  const leave = useLeaveForSite()
  const { fields } = kind.connection
  const form = useForm<{ fields: ConnectionValues; language: Language }>({
    initialValues: {
      fields: connectionValues(fields, website?.form),
      language: website && isLanguage(website.language) ? website.language : userLanguage,
    },
    onValuesChange: onTyped,
  })
  const problem = useFormProblem(form)
  const goThere = () => {
    problem.clear()
    const { fields, language } = form.getValues()
    leave.mutate({ path: { kind: kind.kind }, body: { site: fields.site ?? '', language } }, { onError: problem.show })
  }
  // readers have subscribed to this address
  const fixed = website && kind.served_here ? 'address' : undefined
  const typed = form.getValues().fields.address?.trim()
  const address = feedAddressOf(typed ?? '')
  const help = {
    ...(fixed && { address: t('socialAccounts:fieldHelp.addressFixed') }),
    ...(!fixed && typed && { address: <AddressPreview address={address} /> }),
  }
  const submit = form.onSubmit(({ fields, language }) => {
    problem.clear()
    connect.mutate(
      { path: { kind: kind.kind }, body: { fields, language, website_id: website?.id } },
      {
        onSuccess: (connected) => {
          notifications.show({ message: t('websites:connected', { name: connected.name }) })
          onConnected(connected)
        },
        onError: problem.show,
      },
    )
  })
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors message={Object.keys(form.errors).length === 0 ? problem.message : undefined} />
      {kind.page === null ? (
        <ConnectionFields kind={kind.kind} fields={fields} initialValues={website?.form} form={form} fixed={fixed} help={help} />
      ) : (
        <>
          <ConnectionFields kind={kind.kind} fields={fields.filter(({ name }) => name === 'site')} initialValues={website?.form} form={form} />
          {kind.page ? (
            <div className="site-page">
              <p className="fine-print">{t('websites:page.pageText', { kind: kind.label })}</p>
              <Button fullWidth loading={leave.isPending || leave.isSuccess} onClick={goThere}>
                {t('websites:page.pageAction')}
              </Button>
            </div>
          ) : (
            <p className="fine-print">{t('websites:page.pageNeedsTls', { kind: kind.label })}</p>
          )}
          {kind.page && <p className="by-hand">{t('websites:page.byHand')}</p>}
          <ConnectionFields kind={kind.kind} fields={fields.filter(({ name }) => name !== 'site')} initialValues={website?.form} form={form} />
        </>
      )}
      {!website && (
        <Select
          label={t('websites:language')}
          description={t('websites:languageHint')}
          data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          {...form.getInputProps('language')}
        />
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        {onBack && (
          <Button variant="subtle" mr="auto" onClick={onBack}>
            {t('websites:chooseOther')}
          </Button>
        )}
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" variant={kind.page ? 'default' : 'filled'} loading={connect.isPending}>
          {t(website ? 'websites:reconnect' : 'websites:connectAction')}
        </Button>
      </Group>
    </form>
  )
}

/** The typed end of a web address, as it will be in the address. */
function AddressPreview({ address }: { address: string }) {
  const { t } = useTranslation(['common', 'socialAccounts'])
  return (
    <>
      {t('socialAccounts:fieldHelp.address')}{' '}
      <span role="status" className="address-preview">
        {address ? t('socialAccounts:fieldHelp.addressBecomes', { path: `/feeds/${address}/` }) : t('socialAccounts:fieldHelp.addressNothing')}
      </span>
    </>
  )
}
