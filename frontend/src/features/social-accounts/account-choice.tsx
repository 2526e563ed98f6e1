import { Button, Checkbox, CheckboxGroup, Group } from '@mantine/core'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelKind, ChoiceOut } from '@/api/types.gen'
import { problemText } from '@/lib/problems'
import { accountType } from './account-type'
import { useChooseAccounts } from './api'

interface AccountChoiceProps {
  choice: ChoiceOut
  kind: ChannelKind
  onChosen: (accounts: readonly AccountOut[]) => void
  back?: ReactNode
}

/** The choice among the accounts of a consent; none is connected before it is chosen. */
export function AccountChoice({ choice, kind, onChosen, back }: AccountChoiceProps) {
  const { t } = useTranslation(['common', 'socialAccounts', 'errors'])
  const choose = useChooseAccounts()
  const [chosen, setChosen] = useState<string[]>([])
  const connected = choice.candidates.filter(({ account_id }) => account_id !== null).map(({ external_id }) => external_id)
  return (
    <div className="choice">
      {choose.error && (
        <div className="form-errors" role="alert">
          {problemText(t, choose.error.code === 'not_found' ? { code: 'connect_expired', params: {} } : choose.error)}
        </div>
      )}
      <CheckboxGroup
        label={t('socialAccounts:choose')}
        value={[...connected, ...chosen]}
        onChange={(ticked) => setChosen(ticked.filter((id) => !connected.includes(id)))}
      >
        {choice.candidates.map(({ external_id, name, type, account_id }) => (
          <Checkbox
            key={external_id}
            value={external_id}
            label={name}
            description={
              [accountType(t, type, kind), account_id && t('socialAccounts:alreadyConnected')].filter(Boolean).join(' · ')
            }
            disabled={account_id !== null}
          />
        ))}
      </CheckboxGroup>
      <Group gap="sm">
        <Button
          disabled={chosen.length === 0}
          loading={choose.isPending}
          onClick={() =>
            choose.mutate(
              { body: { grant_id: choice.grant_id, external_ids: chosen } },
              { onSuccess: (accounts) => onChosen(accounts) },
            )
          }
        >
          {t('socialAccounts:connectChosen', { count: chosen.length })}
        </Button>
        {back}
      </Group>
    </div>
  )
}
