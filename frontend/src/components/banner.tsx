import { IconAlertTriangle } from '@tabler/icons-react'
import type { ReactNode } from 'react'

interface BannerProps {
  tone: 'info' | 'turn' | 'warn' | 'bad'
  /** The cause; `children` has the consequence. */
  title: string
  icon?: ReactNode
  action?: ReactNode
  /** The close button: in the corner, even if the action wraps below. */
  close?: ReactNode
  children?: ReactNode
}

/** A banner: above the page for the whole app, inside the page for one object. Show only the worst one. */
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
