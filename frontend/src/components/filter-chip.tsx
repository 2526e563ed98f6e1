import { UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useFormat } from '@/i18n/use-format'

interface FilterChipProps {
  children: ReactNode
  selected: boolean
  count?: number
  onClick: () => void
}

export function FilterChip({ children, selected, count, onClick }: FilterChipProps) {
  const format = useFormat()
  return (
    <UnstyledButton className="fchip" aria-pressed={selected} onClick={onClick}>
      {children}
      {/* for ears: the gap is for eyes only */ ' '}
      {count !== undefined && <span className="fchip-n">{format.number(count)}</span>}
    </UnstyledButton>
  )
}
