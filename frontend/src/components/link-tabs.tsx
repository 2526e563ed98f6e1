import { Link } from 'react-router'

export interface LinkTab {
  name: string
  label: string
  to: string
}

/** Tabs with an address of their own. */
export function LinkTabs({ label, tabs, current }: { label: string; tabs: readonly LinkTab[]; current: string }) {
  return (
    <nav className="link-tabs" aria-label={label}>
      <ul>
        {tabs.map(({ name, label, to }) => (
          <li key={name}>
            <Link to={to} aria-current={name === current ? 'page' : undefined}>
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
