import { Title } from '@mantine/core'
import type { ReactNode } from 'react'

interface PanelProps {
  /** Target of links. */
  id?: string
  title?: ReactNode
  aside?: ReactNode
  /** Without padding, for rows and tables that reach the border. */
  flush?: boolean
  className?: string
  level?: 2 | 3
  children: ReactNode
}

export function Panel({ id, title, aside, flush = false, className = '', level = 2, children }: PanelProps) {
  return (
    <section id={id} tabIndex={id ? -1 : undefined} className={`panel ${className}`}>
      {title && (
        <div className="panel-head">
          <Title order={level} className="panel-title">
            {title}
          </Title>
          {aside && <div className="panel-aside">{aside}</div>}
        </div>
      )}
      <div className={flush ? undefined : 'panel-body'}>{children}</div>
    </section>
  )
}
