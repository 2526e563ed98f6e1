import { Select } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { CardNote, PaletteOut } from '@/api/types.gen'
import { AUTOMATIC, COLOURS, sameColours, type Colours } from '@/lib/card-settings'
import { paletteName } from '@/lib/card-words'
import { OwnColours } from './own-colours'
import './card-colours.css'

const NONE = 'none'
const OWN = 'own'

interface CardColoursProps {
  value: Colours
  palettes: readonly PaletteOut[]
  notes?: readonly CardNote[]
  /** Names the choice of no colours. */
  none: string
  onChange: (colours: Colours) => void
}

const FALLBACK = { ground: '#0e444b', ink: '#ffffff', accent: '#fdc146' }

/** The choice of a bundled palette, or of custom colours, which need not be all three. */
export function CardColours({ value, palettes, notes, none, onChange }: CardColoursProps) {
  const { t } = useTranslation(['common', 'cards'])
  const label = useId()
  const { ground, ink, accent } = value
  // what was chosen as custom colours stays so while it equals a palette, or while all its fields are empty
  const [own, setOwn] = useState<Colours | null>(null)
  const isNone = sameColours(value, AUTOMATIC)
  const palette = palettes.find((candidate) => sameColours(candidate, value))
  const chosen = own && sameColours(own, value) ? OWN : isNone ? NONE : (palette?.name ?? OWN)
  const changeOwn = (colours: Colours) => {
    setOwn(colours)
    onChange(colours)
  }
  const choose = (name: string) => {
    const palette = palettes.find((candidate) => candidate.name === name)
    if (name === OWN) return changeOwn(isNone ? FALLBACK : { ground, ink, accent })
    setOwn(null)
    onChange(palette ? { ground: palette.ground, ink: palette.ink, accent: palette.accent } : AUTOMATIC)
  }
  return (
    <div>
      <Select
        label={<span id={label}>{t('cards:colours')}</span>}
        data={[
          { value: NONE, label: none },
          ...palettes.map(({ name }) => ({
            value: name,
            label: paletteName(t, name),
          })),
          { value: OWN, label: t('cards:ownColours') },
        ]}
        renderOption={({ option }) => (
          <span className="palette">
            <Swatches colours={palettes.find(({ name }) => name === option.value)} />
            {option.label}
          </span>
        )}
        value={chosen}
        onChange={(name) => name && choose(name)}
      />
      {chosen === OWN && (
        <div role="group" aria-labelledby={label}>
          <OwnColours value={{ ground, ink, accent }} palettes={palettes} notes={notes} onChange={changeOwn} />
        </div>
      )}
    </div>
  )
}

function Swatches({ colours }: { colours: PaletteOut | undefined }) {
  if (!colours) return null
  return (
    <span className="swatches" aria-hidden="true">
      {COLOURS.map((part) => (
        <i key={part} style={{ background: colours[part] }} />
      ))}
    </span>
  )
}
