import { ColorInput, createTheme, MantineThemeProvider } from '@mantine/core'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardNote, PaletteOut } from '@/api/types.gen'
import { COLOURS, colourOf, type Colours } from '@/lib/card-settings'
import { noteText } from '@/lib/card-words'
import './own-colours.css'

interface OwnColoursProps {
  value: Colours
  palettes: readonly PaletteOut[]
  /** The renderer's notes on the card, of which that on a text colour is shown. */
  notes?: readonly CardNote[]
  errors?: Partial<Record<string, string>>
  onChange: (colours: Colours) => void
}

/** Fields for the three colours of a card, chosen or typed. */
export function OwnColours({ value, palettes, notes = [], errors = {}, onChange }: OwnColoursProps) {
  const { t } = useTranslation(['common', 'cards'])
  const named = useNamedPicker()
  return (
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
      <p className="colour-note" role="status">
        {notes.includes('ink_switched') ? noteText(t, 'ink_switched') : ''}
      </p>
    </MantineThemeProvider>
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
  error: string | undefined
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
