import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactorOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { FormSection } from '@/components/form-section'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge } from '@/components/status'
import { useFormat } from '@/i18n/use-format'
import { secondFactorQuery } from './api'

const NewCodesDialog = lazyPart(async () => (await import('./new-codes-dialog')).NewCodesDialog)
const SetUpDialog = lazyPart(async () => (await import('./set-up-dialog')).SetUpDialog)
const TurnOffDialog = lazyPart(async () => (await import('./turn-off-dialog')).TurnOffDialog)

const FEW_CODES = 2

type Dialog = 'setUp' | 'turnOff' | 'newCodes'

export function SecondFactorSection() {
  const { t } = useTranslation(['common', 'settings'])
  const factor = useQuery(secondFactorQuery)
  // outside of the states, since the dialogs outlive the state that opened them: recovery codes are shown when two-step login is on already
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => setDialog(undefined)
  return (
    <>
      <FormSection title={t('settings:twoStep')} hint={t('settings:twoStepHint')}>
        {factor.data ? (
          <State factor={factor.data} onOpen={setDialog} />
        ) : factor.isError ? (
          <Failure
            title={t('settings:twoStepFailed')}
            problem={factor.error}
            onRetry={() => void factor.refetch()}
          />
        ) : (
          <RowSkeletons rows={1} />
        )}
      </FormSection>
      <SetUpDialog opened={dialog === 'setUp'} onClose={close} />
      <TurnOffDialog opened={dialog === 'turnOff'} onClose={close} />
      <NewCodesDialog opened={dialog === 'newCodes'} onClose={close} />
    </>
  )
}

function State({ factor, onOpen }: { factor: SecondFactorOut; onOpen: (dialog: Dialog) => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const format = useFormat()
  const { enabled, enabled_at, recovery_codes_left: count } = factor
  if (!enabled)
    return (
      <div className="setting">
        <StatusBadge status="draft" label={t('settings:off')} />
        <span className="setting-actions">
          <Button size="xs" variant="default" onClick={() => onOpen('setUp')}>
            {t('settings:setUp')}
          </Button>
        </span>
      </div>
    )
  return (
    <>
      <div className="setting">
        <StatusBadge status="published" label={t('settings:on')} />
        {enabled_at && <span className="mid">{t('settings:onSince', { day: format.day(enabled_at) })}</span>}
        <span className="setting-actions">
          <Button size="xs" variant="default" onClick={() => onOpen('newCodes')}>
            {t('settings:newCodes')}
          </Button>
          <Button size="xs" variant="default" onClick={() => onOpen('turnOff')}>
            {t('settings:turnOff')}
          </Button>
        </span>
      </div>
      <p className={count <= FEW_CODES ? 'codes-left few' : 'codes-left'}>{t('settings:codesLeft', { count })}</p>
    </>
  )
}
