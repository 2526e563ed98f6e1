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

/** Set the tab's title: object first, then its parent pages. */
export function usePageTitle(...names: string[]) {
  useDocumentTitle([...names, 'Postloom'].join(' · '))
}

/** Set a public page's description, in its language, and its canonical address without query, for search engines. */
export function usePageDescription(text: string) {
  const { pathname } = useLocation()
  useEffect(() => {
    const description = inHead('meta[name="description"]', () => {
      const meta = document.createElement('meta')
      meta.name = 'description'
      return meta
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

function inHead<Match extends Element>(selector: string, make: () => Match): Match {
  const element = document.head.querySelector<Match>(selector) ?? make()
  document.head.append(element)
  return element
}

interface PageHeaderProps {
  title: string
  /** A short text above the title, such as the date of the data. */
  kicker?: string
  /** The tab's title, if the page's title is a sentence. */
  tab?: string
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

/** The header of a page; also sets the tab's title. */
export function PageHeader({ title, kicker, tab = title, crumbs = [], badge, sub, actions, children }: PageHeaderProps) {
  const { t } = useTranslation()
  usePageTitle(tab, ...crumbs.map((crumb) => crumb.label).reverse())
  return (
    <header className="phead">
      {crumbs.length > 0 && (
        <nav className="crumbs" aria-label={t('breadcrumb')}>
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
          {kicker && <p className="phead-kicker">{kicker}</p>}
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
