import { useTranslation } from 'react-i18next'
import type { CardNote, PaletteOut } from '@/api/types.gen'
import { OwnColours } from '@/components/own-colours'
import { paletteName } from '@/lib/card-words'
import { AUTOMATIC, sameColours, type Colours } from '@/lib/card-settings'

interface ColourFieldsProps {
  /** Names the group of radio buttons, which must differ from others on the page. */
  name: string
  value: Colours
  palettes: readonly PaletteOut[]
  notes: readonly CardNote[]
  errors: Partial<Record<string, string>>
  onChange: (colours: Colours) => void
}

/** The choice of a palette or custom colours, with the renderer's notes on readability below. */
export function ColourFields({ name, value, palettes, notes, errors, onChange }: ColourFieldsProps) {
  const { t } = useTranslation(['common', 'cards'])
  return (
    <fieldset className="card-field">
      <legend className="field-label">{t('cards:colours')}</legend>
      <div className="card-palettes">
        <label className="card-palette" data-automatic>
          <input
            type="radio"
            className="vh"
            name={name}
            checked={sameColours(value, AUTOMATIC)}
            onChange={() => onChange(AUTOMATIC)}
          />
          <span>{t('cards:automatic')}</span>
        </label>
        {palettes.map((palette) => (
          <label className="card-palette" key={palette.name}>
            <input
              type="radio"
              className="vh"
              name={name}
              checked={sameColours(value, palette)}
              onChange={() => onChange({ ground: palette.ground, ink: palette.ink, accent: palette.accent })}
            />
            <i style={{ background: palette.ground }} aria-hidden>
              <b style={{ background: palette.ink }} />
              <b style={{ background: palette.accent }} />
            </i>
            <span>{paletteName(t, palette.name)}</span>
          </label>
        ))}
      </div>
      <OwnColours value={value} palettes={palettes} notes={notes} errors={errors} onChange={onChange} />
    </fieldset>
  )
}
