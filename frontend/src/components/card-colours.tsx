import { Select } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PaletteOut } from '@/api/types.gen'
import { COLOURS, type Colours } from '@/lib/card-settings'
import { paletteName } from '@/lib/card-words'
import { OwnColours } from './own-colours'
import './card-colours.css'

const NONE = 'none'
const OWN = 'own'

interface CardColoursProps {
  value: Colours
  palettes: readonly PaletteOut[]
  /** Names the choice of no colours. */
  none: string
  onChange: (colours: Colours) => void
}

const FALLBACK = { ground: '#0e444b', ink: '#ffffff', accent: '#fdc146' }

/** The choice of a bundled palette, or of custom colours, which need not be all three. */
export function CardColours({ value, palettes, none, onChange }: CardColoursProps) {
  const { t } = useTranslation(['common', 'cards'])
  const label = useId()
  const { ground, ink, accent } = value
  // custom colours are chosen, but still equal those of a palette
  const [showsOwnColours, setShowsOwnColours] = useState(false)
  const isNone = ground === null && ink === null && accent === null
  const palette = palettes.find((candidate) => candidate.ground === ground && candidate.ink === ink && candidate.accent === accent)
  const chosen = isNone ? NONE : showsOwnColours ? OWN : (palette?.name ?? OWN)
  const choose = (name: string) => {
    const palette = palettes.find((candidate) => candidate.name === name)
    setShowsOwnColours(name === OWN)
    if (name === NONE) onChange({ ground: null, ink: null, accent: null })
    else if (palette) onChange({ ground: palette.ground, ink: palette.ink, accent: palette.accent })
    else if (isNone) onChange(FALLBACK)
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
          <OwnColours value={{ ground, ink, accent }} palettes={palettes} onChange={onChange} />
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
