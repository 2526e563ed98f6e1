import type { AtDeadline, Mode } from '@/api/types.gen'
import { LaterSelect } from '@/components/later-select'
import { useTranslation } from '@/i18n/translation'
import { useAssistantForm } from './assistant-form-context'
import { DEFAULT_LEAD, LEAD_TO_DECIDE, writtenFor } from './form-values'

/** How much it may do alone. */
export function ModePicks() {
  const { t } = useTranslation()
  const form = useAssistantForm()
  const { mode, veto_minutes, lead_minutes } = form.values
  const written = writtenFor(form.values)
  const windows = veto_minutes === null || WINDOWS.includes(veto_minutes) ? WINDOWS : [...WINDOWS, veto_minutes].sort((one, other) => one - other)
  const choices: { value: Mode; title: string; text: string }[] = [
    { value: 'draft', title: t('assistantForm.modeDraft'), text: t('assistantForm.modeDraftText') },
    { value: 'approval', title: t('assistantForm.modeAsk'), text: t('assistantForm.modeAskText') },
    { value: 'automatic', title: t('assistantForm.modeAutomatic'), text: t('assistantForm.modeAutomaticText') },
  ]
  return (
    <fieldset className="plain" data-field="mode">
      <legend className="vh">{t('assistantForm.mode')}</legend>
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
          <LaterSelect
            label={t('assistantForm.atDeadline')}
            description={t(`assistantForm.atDeadlineHint.${written}`)}
            allowDeselect={false}
            data={DEADLINES.map((value) => ({ value, label: t(`assistantForm.atDeadlines.${value}`) }))}
            {...form.getInputProps('at_deadline')}
          />
        </div>
      )}
      {mode === 'automatic' && (
        <div className="mode-more">
          <LaterSelect
            label={t('assistantForm.veto')}
            description={t(`assistantForm.vetoHint.${written}`)}
            allowDeselect={false}
            data={[{ value: 'none', label: t('assistantForm.vetoNone') }, ...windows.map((value) => ({ value: String(value), label: windowText(value) }))]}
            value={veto_minutes === null ? 'none' : String(veto_minutes)}
            error={form.errors.veto_minutes}
            data-field="veto_minutes"
            onChange={(value) => showFor(value === null || value === 'none' ? null : Number(value))}
          />
        </div>
      )}
    </fieldset>
  )

  /** Whoever has to decide needs time, unless a time was set by hand. */
  function choose(value: Mode) {
    form.setFieldValue('mode', value)
    if (value === 'approval' && lead_minutes === DEFAULT_LEAD) form.setFieldValue('lead_minutes', LEAD_TO_DECIDE)
    if (value !== 'approval' && mode === 'approval' && lead_minutes === LEAD_TO_DECIDE) form.setFieldValue('lead_minutes', DEFAULT_LEAD)
  }

  function showFor(minutes: number | null) {
    form.setFieldValue('veto_minutes', minutes)
    if (minutes !== null && (lead_minutes === '' || lead_minutes < minutes + MAKING)) form.setFieldValue('lead_minutes', minutes + MAKING)
  }

  function windowText(minutes: number) {
    const time = minutes % 60 === 0 ? t('assistantForm.vetoHours', { count: minutes / 60 }) : t('assistantForm.vetoMinutes', { count: minutes })
    return t('assistantForm.vetoFor', { time })
  }
}

const DEADLINES: readonly AtDeadline[] = ['hold', 'skip', 'publish']
const WINDOWS = [15, 30, 60, 120, 240, 720, 1440] // minutes
const MAKING = 15 // minutes that a post may take to be made, before it is shown
