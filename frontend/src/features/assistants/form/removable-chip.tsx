import { IconX } from '@tabler/icons-react'

interface RemovableChipProps {
  text: string
  isNumeric?: boolean
  /** The accessible name of the button. */
  removeLabel: string
  onRemove: () => void
}

/** A value of a list with a button that removes it. */
export function RemovableChip({ text, isNumeric, removeLabel, onRemove }: RemovableChipProps) {
  return (
    <span className={isNumeric ? 'timechip num' : 'timechip'}>
      {text}
      <button type="button" aria-label={removeLabel} onClick={onRemove}>
        <IconX size={13} aria-hidden />
      </button>
    </span>
  )
}
