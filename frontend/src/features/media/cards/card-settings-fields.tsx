import { Select, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { CardSettingsModelSchema } from '@/api/schemas.gen'
import type { CardLayout, CardNote, CardSettingsModel } from '@/api/types.gen'
import { BrandSelect } from '@/components/brand-select'
import { Failure } from '@/components/failure'
import { ImageRatioField } from '@/components/image-ratio-field'
import { RowSkeletons } from '@/components/skeletons'
import { cardOptionsQuery } from '@/features/media/api'
import { fontName, layoutName } from '@/lib/card-words'
import { completeSettings, type CardSettings } from '@/lib/card-settings'
import { ColourFields } from './colour-fields'
import { LayoutPicture } from './layout-picture'
import { LogoField } from '@/features/media/pickers/logo-field'
import '@/features/media/media.css'

interface CardSettingsFieldsProps {
  value: CardSettingsModel
  onChange: (settings: CardSettings) => void
  /** False where each page has a layout of its own. */
  withLayout?: boolean
  /** The layout that the renderer chose, if the choice is automatic. */
  chosen?: CardLayout
  /** The renderer's notes on these settings. */
  notes?: readonly CardNote[]
  /** Errors by setting. */
  errors?: Partial<Record<string, string>>
}

/** The fields for a card's design. */
export function CardSettingsFields({ value, onChange, withLayout = true, chosen, notes = [], errors = {} }: CardSettingsFieldsProps) {
  const { t } = useTranslation(['common', 'cards'])
  const options = useQuery(cardOptionsQuery)
  const name = useId()
  if (options.isPending) return <RowSkeletons rows={3} />
  if (options.isError && !options.data)
    return <Failure title={t('cards:optionsFailed')} problem={options.error} onRetry={() => void options.refetch()} />

  const settings = completeSettings(value)
  const { layouts, fonts, palettes } = options.data
  const [usual] = palettes
  const colours = {
    ground: settings.ground ?? usual?.ground ?? 'var(--pl-sunken)',
    ink: settings.ink ?? usual?.ink ?? 'var(--pl-text)',
    accent: settings.accent ?? usual?.accent ?? 'var(--pl-thread)',
  }
  const change = (changes: Partial<CardSettings>) => onChange({ ...settings, ...changes })
  return (
    <div className="stack">
      {withLayout && <fieldset className="card-field">
        <legend className="field-label">{t('cards:layout')}</legend>
        <div className="layouts">
          {[null, ...layouts].map((layout) => (
            <label key={layout ?? ''}>
              <input
                type="radio"
                className="vh"
                name={`${name}-layout`}
                checked={settings.layout === layout}
                onChange={() => change({ layout })}
              />
              <LayoutPicture layout={layout} {...colours} />
              <span>{layout ? layoutName(t, layout) : t('cards:automatic')}</span>
            </label>
          ))}
        </div>
        {settings.layout === null && (
          <p className="card-hint" role="status">
            {chosen ? t('cards:chosenLayout', { layout: layoutName(t, chosen) }) : t('cards:layoutHint')}
          </p>
        )}
      </fieldset>}
      <BrandSelect
        description={t('cards:brandHint')}
        value={settings.brand_id}
        error={errors.brand_id}
        onChange={(brand_id) => change({ brand_id })}
      />
      <div className="field-pair">
        <ImageRatioField label={t('cards:ratio')} fullWidth value={settings.size} onChange={(size) => change({ size })} />
        <Select
          label={t('cards:font')}
          data={fonts.map((font) => ({ value: font, label: fontName(t, font) }))}
          value={settings.font}
          onChange={(font) => font && change({ font })}
        />
      </div>
      <ColourFields
        name={`${name}-palette`}
        value={settings}
        palettes={palettes}
        notes={notes}
        errors={errors}
        onChange={({ ground, ink, accent }) => change({ ground, ink, accent })}
      />
      <LogoField value={settings.logo_id} error={errors.logo_id} onChange={(logo_id) => change({ logo_id })} />
      <TextInput
        label={t('cards:foot')}
        description={t('cards:footHint')}
        maxLength={CardSettingsModelSchema.properties.foot.maxLength}
        value={settings.foot}
        error={errors.foot}
        onChange={(event) => change({ foot: event.currentTarget.value })}
      />
    </div>
  )
}
