import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface FormSectionProps {
  title: string
  hint?: ReactNode
  children: ReactNode
}

/** Title and hint on the left, fields on the right. */
export function FormSection({ title, hint, children }: FormSectionProps) {
  return (
    <section className="fsec">
      <div className="fsec-about">
        <Title order={2}>{title}</Title>
        {hint && <p>{hint}</p>}
      </div>
      <div className="stack">{children}</div>
    </section>
  )
}
