import { ColorInput, createTheme, MantineThemeProvider } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardNote, PaletteOut } from '@/api/types.gen'
import { noteText, paletteName } from '@/lib/card-words'
import { COLOURS, type CardSettings } from '@/lib/card-settings'
import { colourOf } from './card-settings'

type Colours = Pick<CardSettings, 'ground' | 'ink' | 'accent'>

const AUTOMATIC: Colours = { ground: null, ink: null, accent: null }

const isSame = (a: Colours, b: Colours) => COLOURS.every((part) => a[part] === b[part])

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
  const named = useNamedPicker()
  const switched = notes.includes('ink_switched')
  return (
    <fieldset className="card-field">
      <legend className="field-label">{t('cards:colours')}</legend>
      <div className="card-palettes">
        <label className="card-palette" data-automatic>
          <input
            type="radio"
            className="vh"
            name={name}
            checked={isSame(value, AUTOMATIC)}
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
              checked={isSame(value, palette)}
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
      <MantineThemeProvider theme={named}>
        <div className="colours">
          {COLOURS.map((part) => (
            <ColourField
              key={part}
              label={t(`cards:${part}`)}
              value={value[part]}
              error={errors[part]}
              swatches={[...new Set(palettes.flatMap((palette) => COLOURS.map((part) => palette[part])))]}
              onChange={(colour) => onChange({ ...value, [part]: colour })}
            />
          ))}
        </div>
      </MantineThemeProvider>
      <p className="colour-note" role="status">
        {switched ? noteText(t, 'ink_switched') : ''}
      </p>
    </fieldset>
  )
}

/** Name the sliders of the colour picker by the theme, since a field has no props for them. */
function useNamedPicker() {
  const { t } = useTranslation(['common', 'cards'])
  const saturationLabel = t('cards:shade')
  const hueLabel = t('cards:hue')
  return useMemo(
    () => createTheme({ components: { ColorPicker: { defaultProps: { saturationLabel, hueLabel } } } }),
    [saturationLabel, hueLabel],
  )
}

interface ColourFieldProps {
  label: string
  value: string | null
  error?: string
  swatches: string[]
  onChange: (colour: string | null) => void
}

/** A field for one colour. It reports only complete colours; an empty field means an automatic colour. */
function ColourField({ label, value, error, swatches, onChange }: ColourFieldProps) {
  const { t } = useTranslation(['common', 'cards'])
  const [typed, setTyped] = useState(value ?? '')
  const [lastValue, setLastValue] = useState(value)
  if (value !== lastValue) {
    // changed from outside, such as by a palette
    setLastValue(value)
    if (colourOf(typed) !== value) setTyped(value ?? '')
  }
  const changeTyped = (next: string) => {
    setTyped(next)
    const colour = colourOf(next)
    if (colour || next.trim() === '') onChange(colour)
  }
  const half = typed.trim() !== '' && colourOf(typed) === null
  return (
    <ColorInput
      label={label}
      placeholder={t('cards:automatic')}
      format="hex"
      fixOnBlur={false}
      withEyeDropper={false}
      swatches={swatches}
      leftSection={colourOf(typed) === null && <span className="colour-none" aria-hidden />}
      value={typed}
      error={error ?? (half && t('cards:colourHalf'))}
      onChange={changeTyped}
      onBlur={() => setTyped(value ?? typed)}
    />
  )
}
