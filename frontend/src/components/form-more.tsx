import { IconChevronRight } from '@tabler/icons-react'
import { useState, type ReactNode } from 'react'

interface FormMoreProps {
  title: string
  /** What is set inside, in a few words: it need not be opened to be known. */
  says: ReactNode
  /** Whether it begins open, such as where something else than the usual is set. */
  open?: boolean
  children: ReactNode
}

/** Fields that most people leave as they are, a press away. */
export function FormMore({ title, says, open = false, children }: FormMoreProps) {
  // only how it begins: afterwards whoever reads it decides
  const [began] = useState(open)
  return (
    <details className="more" open={began}>
      <summary>
        <IconChevronRight size={15} aria-hidden />
        <span className="more-title">{title}</span>
        <span className="more-says">{says}</span>
      </summary>
      <div className="stack">{children}</div>
    </details>
  )
}
