import { Fragment, type ReactNode } from 'react'

/** Facts in a line, separated by dots. A dot stays with the fact before it, so that no line begins with one. */
export function Dotted({ parts }: { parts: readonly ReactNode[] }) {
  const shownParts = parts.filter(Boolean)
  return shownParts.map((part, index) => (
    <Fragment key={index}>
      <span className="dotted">
        {part}
        {index < shownParts.length - 1 && '\u00a0·'}
      </span>{' '}
    </Fragment>
  ))
}
