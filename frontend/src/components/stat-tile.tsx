import type { ReactNode } from 'react'
import { Link } from 'react-router'

interface StatTileProps {
  label: string
  value: string
  unit?: string
  /** The list of the counted items: a page, or a `#part` of this one. */
  to?: string
  /** One line of comparison. */
  sub?: ReactNode
  icon?: ReactNode
  /** `turn`: the user has to act. */
  tone?: 'turn'
}

/** A tile with a number; up to four in a `StatTiles`. */
export function StatTile({ label, value, unit, to, sub, icon, tone }: StatTileProps) {
  return (
    <div className="tile" data-tone={tone}>
      <div className="tile-label">
        {icon}
        {label}
      </div>
      <div className="tile-value">
        {to?.startsWith('#') ? (
          <a className="tile-link" href={to} aria-label={`${label}: ${value}`}>
            {value}
          </a>
        ) : to ? (
          <Link className="tile-link" to={to} aria-label={`${label}: ${value}`}>
            {value}
          </Link>
        ) : (
          value
        )}
        {unit && <span>{unit}</span>}
      </div>
      {sub && <div className="tile-sub">{sub}</div>}
    </div>
  )
}

export function StatTiles({ children }: { children: ReactNode }) {
  return <div className="tiles">{children}</div>
}
