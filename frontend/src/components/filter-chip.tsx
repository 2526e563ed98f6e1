import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'

interface FilterChipProps {
  children: ReactNode
  selected: boolean
  count?: number
  onClick: () => void
}

export function FilterChip({ children, selected, count, onClick }: FilterChipProps) {
  return (
    <UnstyledButton className="fchip" aria-pressed={selected} onClick={onClick}>
      {children}
      {count !== undefined && <span className="fchip-n">{count}</span>}
    </UnstyledButton>
  )
}
