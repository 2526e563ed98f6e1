import { Loader, Title } from '@mantine/core'
import { IconCheck, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ChannelTile } from './channel'
import { usePageTitle } from './page'

interface OutcomeProps {
  /** The kind of the network or website. */
  channel: string
  title: string
  /** Absent while the user has to decide. */
  sign?: 'busy' | 'good' | 'bad'
  actions?: ReactNode
  form?: ReactNode
  children: ReactNode
}

/** The page that says whether a network or website was connected. */
export function Outcome({ channel, title, sign, actions, form, children }: OutcomeProps) {
  usePageTitle(title)
  return (
    <section className="outcome" role={sign === 'bad' ? 'alert' : 'status'}>
      <span className="outcome-sign" data-sign={sign}>
        <ChannelTile channel={channel} size={56} />
        {sign && (
          <span className="outcome-state">
            {sign === 'busy' && <Loader size={18} aria-hidden />}
            {sign === 'good' && <IconCheck size={18} stroke={2.4} aria-hidden />}
            {sign === 'bad' && <IconX size={18} stroke={2.4} aria-hidden />}
          </span>
        )}
      </span>
      <Title order={1}>{title}</Title>
      <p>{children}</p>
      {form}
      {actions && <div className="empty-actions">{actions}</div>}
    </section>
  )
}
