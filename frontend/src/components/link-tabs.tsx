import { useLayoutEffect, useRef } from 'react'
import { Link } from 'react-router'

export interface LinkTab {
  name: string
  label: string
  to: string
  /** How many items wait for the user there, and that as text. */
  waiting?: { count: number; label: string }
}

/** Tabs that are links. */
export function LinkTabs({ label, tabs, current }: { label: string; tabs: readonly LinkTab[]; current: string }) {
  const row = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    // on phones the row of tabs is wider than the screen
    row.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [current])
  return (
    <nav className="link-tabs" aria-label={label} ref={row}>
      <ul>
        {tabs.map(({ name, label, to, waiting }) => (
          <li key={name}>
            <Link to={to} aria-current={name === current ? 'page' : undefined}>
              {label}
              {waiting && waiting.count > 0 && <b aria-label={waiting.label}>{waiting.count}</b>}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
