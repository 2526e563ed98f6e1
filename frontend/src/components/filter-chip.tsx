import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '@/i18n/use-format'

interface FilterChipProps {
  children: ReactNode
  selected: boolean
  count?: number
  disabled?: boolean
  onClick: () => void
}

export function FilterChip({ children, selected, count, disabled, onClick }: FilterChipProps) {
  const format = useFormat()
  return (
    <UnstyledButton className="fchip" aria-pressed={selected} disabled={disabled} onClick={onClick}>
      {children}
      {/* a space for screen readers; the visible gap is CSS */ ' '}
      {count !== undefined && <span className="fchip-n">{format.number(count)}</span>}
    </UnstyledButton>
  )
}
