import { Button, Input } from '@mantine/core'
import { IconCheck, IconPlugConnected } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AccountOut, AssistantOut } from '@/api/types.gen'
import { channelName, ChannelTile } from '@/components/channel'
import { paths } from '@/lib/paths'
import { useAssistantForm } from './assistant-form-context'
import { findRestricted, leadFor } from './form-values'

interface AccountPicksProps {
  accounts: readonly AccountOut[]
  /** Null for a new assistant. */
  assistant: AssistantOut | null
}

/** The accounts that the assistant publishes to: one card per connected account. */
export function AccountPicks({ accounts, assistant }: AccountPicksProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const chosen = form.values.account_ids
  const error = form.errors.account_ids
  const choose = (ids: string[]) => {
    form.setFieldValue('account_ids', ids)
    // a new assistant asks first where automated posting is restricted, unless a mode was chosen
    if (assistant || form.isTouched('mode') || !findRestricted(ids, accounts)) return
    form.setFieldValue('mode', 'approval')
    form.setFieldValue('lead_minutes', leadFor('approval', form.getValues()))
  }
  if (accounts.length === 0) {
    return (
      <div className="nochoice" data-field="account_ids">
        <span>{t('assistants:form.noAccounts')}</span>
        <Button component={Link} to={paths.account} variant="default" size="xs" leftSection={<IconPlugConnected size={14} aria-hidden />}>
          {t('assistants:form.connect')}
        </Button>
        {error && <Input.Error role="alert">{error}</Input.Error>}
      </div>
    )
  }
  return (
    <fieldset className="plain" data-field="account_ids">
      <legend className="vh">{t('assistants:form.accounts')}</legend>
      <div className="pickch">
        {accounts.map((account) => {
          const on = chosen.includes(account.id)
          return (
            <label key={account.id} className="pick" data-on={on || undefined}>
              <input
                type="checkbox"
                checked={on}
                onChange={() => choose(on ? chosen.filter((id) => id !== account.id) : [...chosen, account.id])}
              />
              <ChannelTile channel={account.kind} size={28} />
              <span className="grow two-lines">
                {account.name}
                <small>
                  {channelName(account.kind)}
                  {account.state === 'needs_reconnecting' && `, ${t('assistants:form.needsLogin')}`}
                </small>
              </span>
              <span className="pick-tick">{on && <IconCheck size={14} stroke={3} aria-hidden />}</span>
            </label>
          )
        })}
      </div>
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
    </fieldset>
  )
}
