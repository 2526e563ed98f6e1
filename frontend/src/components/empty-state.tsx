import { Title } from '@mantine/core'
import type { ReactNode } from 'react'
import { LoomArt } from './loom-art'

interface EmptyStateProps {
  title: string
  /** One sentence: what to do. */
  text: ReactNode
  /** One button and one quiet alternative. */
  actions?: ReactNode
  level?: 1 | 2
  art?: 'empty' | 'lost' | 'cut'
}

export function EmptyState({ title, text, actions, level = 2, art = 'empty' }: EmptyStateProps) {
  return (
    <div className={art === 'empty' ? 'empty' : 'empty lost'}>
      <LoomArt kind={art} width={art === 'empty' ? 200 : 260} />
      <Title order={level}>{title}</Title>
      <p>{text}</p>
      {actions && <div className="empty-actions">{actions}</div>}
    </div>
  )
}
