import { Button, Modal, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { SecondFactorOfferOut } from '@/api/types.gen'
import { CopyArea } from '@/components/copy-area'
import { FormErrors } from '@/components/form-errors'
import { useFormProblem } from '@/components/use-form-problem'
import { useConfirmSecondFactor, useOfferSecondFactor } from './api'
import { PasswordForm } from '@/components/password-form'
import { RecoveryCodes } from './recovery-codes'

interface SetUpDialogProps {
  opened: boolean
  onClose: () => void
}

type Step = { at: 'password' } | { at: 'app'; offer: SecondFactorOfferOut } | { at: 'codes'; codes: string[] }

/** Password, then the secret for the app and a first code of it, then the recovery codes. */
export function SetUpDialog({ opened, onClose }: SetUpDialogProps) {
  const { t } = useTranslation(['common', 'settings'])
  const [step, setStep] = useState<Step>({ at: 'password' })
  const shownOnce = step.at === 'codes'
  const leave = () => {
    onClose()
    setStep({ at: 'password' })
  }
  return (
    <Modal
      opened={opened}
      onClose={leave}
      size={step.at === 'app' ? 'lg' : 'md'}
      title={t(shownOnce ? 'settings:codesTitle' : 'settings:setUp')}
      closeOnClickOutside={step.at === 'password'}
      closeOnEscape={!shownOnce}
      withCloseButton={!shownOnce}
    >
      {step.at === 'password' && (
        <PasswordStep onOffer={(offer) => setStep({ at: 'app', offer })} onCancel={leave} />
      )}
      {step.at === 'app' && (
        <AppStep offer={step.offer} onCodes={(codes) => setStep({ at: 'codes', codes })} onCancel={leave} />
      )}
      {step.at === 'codes' && <RecoveryCodes codes={step.codes} onDone={leave} />}
    </Modal>
  )
}

function PasswordStep({ onOffer, onCancel }: { onOffer: (offer: SecondFactorOfferOut) => void; onCancel: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  const ask = useOfferSecondFactor()
  return (
    <PasswordForm
      text={t('settings:setUpText')}
      action={t('settings:continue')}
      pending={ask.isPending}
      onSubmit={(current_password, onError) =>
        ask.mutate({ body: { current_password } }, { onSuccess: onOffer, onError })
      }
      onCancel={onCancel}
    />
  )
}

interface AppStepProps {
  offer: SecondFactorOfferOut
  onCodes: (codes: string[]) => void
  onCancel: () => void
}

function AppStep({ offer, onCodes, onCancel }: AppStepProps) {
  const { t } = useTranslation(['common', 'settings'])
  const confirm = useConfirmSecondFactor()
  const form = useForm({
    initialValues: { code: '' },
    validate: { code: isNotEmpty(t('settings:codeRequired')) },
  })
  // the dialog focuses only its first content, and this step comes later
  const code = useRef<HTMLInputElement>(null)
  useEffect(() => code.current?.focus(), [])
  const problem = useFormProblem(form, { second_factor_wrong: 'code' })
  const submit = form.onSubmit(
    (body) => {
      problem.clear()
      confirm.mutate({ body }, { onSuccess: ({ recovery_codes }) => onCodes(recovery_codes), onError: problem.show })
    },
    () => form.getInputNode('code')?.focus(),
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <div className="set-up">
        <img className="qr" src={`data:image/svg+xml,${encodeURIComponent(offer.qr_svg)}`} alt={t('settings:qrCode')} />
        <div className="stack">
          <p className="dialog-text">{t('settings:scan')}</p>
          <CopyArea label={t('settings:secret')} value={offer.secret} />
          <FormErrors message={problem.message} />
          <TextInput
            label={t('settings:code')}
            description={t('settings:codeHint')}
            classNames={{ input: 'code-input' }}
            inputMode="numeric"
            autoComplete="one-time-code"
            maxLength={12}
            ref={code}
            {...form.getInputProps('code')}
          />
        </div>
      </div>
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={confirm.isPending}>
          {t('settings:turnOn')}
        </Button>
      </div>
    </form>
  )
}
