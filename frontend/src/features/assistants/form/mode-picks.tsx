import { Select } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { AtDeadline, type AccountOut, type Mode } from '@/api/types.gen'
import { useAssistantForm } from './assistant-form-context'
import { channelName } from '@/components/channel'
import { findRestricted, leadFor, writtenFor } from './form-values'

/** The approval mode: draft, approval or automatic. */
export function ModePicks({ accounts }: { accounts: readonly AccountOut[] }) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { mode, veto_minutes, lead_minutes } = form.values
  const written = writtenFor(form.values)
  const windows = veto_minutes === null || WINDOWS.includes(veto_minutes) ? WINDOWS : [...WINDOWS, veto_minutes].sort((a, b) => a - b)
  const choices: { value: Mode; title: string; text: string }[] = [
    { value: 'draft', title: t('assistants:form.modeDraft'), text: t('assistants:form.modeDraftText') },
    { value: 'approval', title: t('assistants:form.modeAsk'), text: t('assistants:form.modeAskText') },
    { value: 'automatic', title: t('assistants:form.modeAutomatic'), text: t('assistants:form.modeAutomaticText') },
  ]
  const restricted = findRestricted(form.values.account_ids, accounts)
  return (
    <fieldset className="plain" data-field="mode">
      <legend className="vh">{t('assistants:form.mode')}</legend>
      <div className="modes">
        {choices.map(({ value, title, text }) => (
          <label key={value} className="mode" data-on={value === mode || undefined}>
            <input
              type="radio"
              name="mode"
              checked={value === mode}
              onChange={() => choose(value)}
            />
            <b>{title}</b>
            <span>{text}</span>
          </label>
        ))}
      </div>
      {mode === 'approval' && (
        <div className="mode-more" data-field="at_deadline">
          <Select
            label={t('assistants:form.atDeadline')}
            description={t(`assistants:form.atDeadlineHint.${written}`)}
            data={Object.values(AtDeadline).map((value) => ({ value, label: t(`assistants:form.atDeadlines.${value}`) }))}
            {...form.getInputProps('at_deadline')}
          />
        </div>
      )}
      {mode === 'automatic' && written === 'post' && restricted && (
        <p className="note" data-tone="warn" role="status">
          <IconAlertTriangle size={16} aria-hidden /> {t('assistants:form.automationRisk', { network: channelName(restricted.kind) })}
        </p>
      )}
      {mode === 'automatic' && (
        <div className="mode-more">
          <Select
            label={t('assistants:form.veto')}
            description={t(`assistants:form.vetoHint.${written}`)}
            data={[{ value: 'none', label: t('assistants:form.vetoNone') }, ...windows.map((value) => ({ value: String(value), label: windowText(value) }))]}
            value={veto_minutes === null ? 'none' : String(veto_minutes)}
            error={form.errors.veto_minutes}
            data-field="veto_minutes"
            onChange={(value) => showFor(value === null || value === 'none' ? null : Number(value))}
          />
        </div>
      )}
    </fieldset>
  )

  /** Set the mode, and a lead time for the decision unless the user has set one. */
  function choose(value: Mode) {
    form.setFieldValue('mode', value)
    form.setFieldValue('lead_minutes', leadFor(value, { mode, lead_minutes }))
  }

  function showFor(minutes: number | null) {
    form.setFieldValue('veto_minutes', minutes)
    if (minutes !== null && (lead_minutes === '' || lead_minutes < minutes + MAKING)) form.setFieldValue('lead_minutes', minutes + MAKING)
  }

  function windowText(minutes: number) {
    const time = minutes % 60 === 0 ? t('assistants:form.vetoHours', { count: minutes / 60 }) : t('assistants:form.vetoMinutes', { count: minutes })
    return t('assistants:form.vetoFor', { time })
  }
}

const WINDOWS = [15, 30, 60, 120, 240, 720, 1440] // minutes
const MAKING = 15 // minutes to make a post before it is shown
