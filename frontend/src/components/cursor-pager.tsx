import { Button } from '@mantine/core'
import { IconChevronRight, IconChevronsLeft } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'

interface CursorPagerProps {
  label: string
  newest: string
  older: string
  /** The one of the page that is shown; none on the first. */
  cursor?: string
  nextCursor: string | null
}

/** Forward by the server's cursor, which stands in the address: the browser's own way back works. */
export function CursorPager({ label, newest, older, cursor, nextCursor }: CursorPagerProps) {
  const { pathname, search } = useLocation()
  if (!cursor && !nextCursor) return null
  const to = (value: string | null) => {
    const query = new URLSearchParams(search)
    if (value) query.set('cursor', value)
    else query.delete('cursor')
    const text = query.toString()
    return text ? `${pathname}?${text}` : pathname
  }
  return (
    <nav className="pager" aria-label={label}>
      {cursor && (
        <Button component={Link} to={to(null)} variant="default" size="xs" leftSection={<IconChevronsLeft size={15} aria-hidden />}>
          {newest}
        </Button>
      )}
      {nextCursor && (
        <Button component={Link} to={to(nextCursor)} variant="default" size="xs" rightSection={<IconChevronRight size={15} aria-hidden />}>
          {older}
        </Button>
      )}
    </nav>
  )
}
