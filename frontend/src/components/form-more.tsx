import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

interface FormMoreProps {
  title: string
  /** Summary of the values inside, visible while closed. */
  summary: ReactNode
  /** Whether it is initially open, such as with values other than the defaults. */
  open?: boolean
  children: ReactNode
}

/** Collapsed fields that most users leave unchanged. */
export function FormMore({ title, summary, open = false, children }: FormMoreProps) {
  // only the initial state: afterwards the user decides
  const [initiallyOpen] = useState(open)
  return (
    <details className="more" open={initiallyOpen}>
      <summary>
        <IconChevronRight size={15} aria-hidden />
        <span className="more-title">{title}</span>
        <span className="more-summary">{summary}</span>
      </summary>
      <div className="stack">{children}</div>
    </details>
  )
}
