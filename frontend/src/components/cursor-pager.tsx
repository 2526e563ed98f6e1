import { Button } from '@mantine/core'
import { IconChevronRight, IconChevronsLeft } from '@tabler/icons-react'
import { Link, useLocation } from 'react-router'

interface CursorPagerProps {
  label: string
  newest: string
  older: string
  /** The current page's cursor; undefined on the first page. */
  cursor?: string
  nextCursor: string | null
}

/** Links to the next and the first page. The server's cursor is in the URL, so the browser's Back works. */
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
