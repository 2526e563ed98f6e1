import { Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import { IconChevronRight } from '@tabler/icons-react'
import { useEffect, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'

export interface Crumb {
  label: string
  to: string
}

/** The title of the tab: object first, then the pages above it. */
export function usePageTitle(...names: string[]) {
  useDocumentTitle([...names, 'Postloom'].join(' · '))
}

/** For search engines: what a public page is about, in its language, and its address without what a link added. */
export function usePageDescription(text: string) {
  const { pathname } = useLocation()
  useEffect(() => {
    const description = inHead('meta[name="description"]', () => {
      const made = document.createElement('meta')
      made.name = 'description'
      return made
    })
    const before = description.content
    description.content = text
    return () => {
      description.content = before
    }
  }, [text])
  useEffect(() => {
    const canonical = document.createElement('link')
    canonical.rel = 'canonical'
    canonical.href = location.origin + pathname
    document.head.append(canonical)
    return () => canonical.remove()
  }, [pathname])
}

function inHead<Found extends Element>(selector: string, make: () => Found): Found {
  const found = document.head.querySelector<Found>(selector) ?? make()
  document.head.append(found)
  return found
}

interface PageHeaderProps {
  title: string
  crumbs?: Crumb[]
  /** A status beside the title. */
  badge?: ReactNode
  /** One line of facts. */
  sub?: ReactNode
  /** At most two buttons and a menu. */
  actions?: ReactNode
  /** Tabs. */
  children?: ReactNode
}

/** The head of a page; names the tab after it. */
export function PageHeader({ title, crumbs = [], badge, sub, actions, children }: PageHeaderProps) {
  const { t } = useTranslation()
  usePageTitle(title, ...crumbs.map((crumb) => crumb.label).reverse())
  return (
    <header className="phead">
      {crumbs.length > 0 && (
        <nav className="crumbs" aria-label={t('common.breadcrumb')}>
          <ol>
            {crumbs.map((crumb) => (
              <li key={crumb.to}>
                <Link to={crumb.to}>{crumb.label}</Link>
                <IconChevronRight size={13} aria-hidden />
              </li>
            ))}
          </ol>
        </nav>
      )}
      <div className="phead-row">
        <div className="phead-text">
          <div className="phead-title">
            <Title order={1}>{title}</Title>
            {badge}
          </div>
          {sub && <div className="phead-sub">{sub}</div>}
        </div>
        {actions && <div className="phead-actions">{actions}</div>}
      </div>
      {children}
    </header>
  )
}
