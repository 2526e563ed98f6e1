import { useTranslation } from 'react-i18next'
import type { Mode } from '@/api/types.gen'
import { useAssistantForm } from './assistant-form-context'

/** How much it may do alone. Asking first is part of the product, and not there yet. */
export function ModePicks() {
  const { t } = useTranslation()
  const form = useAssistantForm()
  const { mode } = form.values
  const choices: { value: Mode | 'ask'; title: string; text: string }[] = [
    { value: 'draft', title: t('assistantForm.modeDraft'), text: t('assistantForm.modeDraftText') },
    { value: 'ask', title: t('assistantForm.modeAsk'), text: t('assistantForm.modeAskText') },
    { value: 'automatic', title: t('assistantForm.modeAutomatic'), text: t('assistantForm.modeAutomaticText') },
  ]
  return (
    <fieldset className="plain" data-field="mode">
      <legend className="vh">{t('assistantForm.mode')}</legend>
      <div className="modes">
        {choices.map(({ value, title, text }) => (
          <label key={value} className="mode" data-on={value === mode || undefined} data-disabled={value === 'ask' || undefined}>
            <input
              type="radio"
              name="mode"
              checked={value === mode}
              disabled={value === 'ask'}
              onChange={() => value !== 'ask' && form.setFieldValue('mode', value)}
            />
            <b>{title}</b>
            <span>{text}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
