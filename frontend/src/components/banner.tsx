import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface BannerProps {
  tone: 'info' | 'turn' | 'warn' | 'bad'
  /** The cause; the consequence stands in `children`. */
  title: string
  icon?: ReactNode
  action?: ReactNode
  /** What closes it: in the corner, where it stays when an action goes below. */
  close?: ReactNode
  children?: ReactNode
}

/** One at a time, the worst wins: over the page for the whole app, inside it for one object. */
export function Banner({ tone, title, icon, action, close, children }: BannerProps) {
  return (
    <div className="banner" data-tone={tone} role={tone === 'bad' ? 'alert' : 'status'}>
      <span className="banner-icon">{icon ?? <IconAlertTriangle size={18} stroke={1.9} aria-hidden />}</span>
      <div className="banner-text">
        <strong>{title}</strong> {children}
      </div>
      {action}
      {close && <span className="banner-close">{close}</span>}
    </div>
  )
}
