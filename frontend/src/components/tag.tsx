import type { ReactNode } from 'react'

export function Tag({ children }: { children: ReactNode }) {
  return (
    <span className="tag">
      <span className="clip">{children}</span>
    </span>
  )
}
