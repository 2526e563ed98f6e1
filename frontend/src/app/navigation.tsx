import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useLocation } from 'react-router'
import { readWaitingOptions } from '@/api/@tanstack/react-query.gen'
import { meQuery } from '@/features/users/session/api'
import { groups, isCurrent, type Page } from './pages'

/** Return how many items wait for the user, by entry. */
function useWaiting(): Partial<Record<Page['name'], number>> {
  const { data: me } = useQuery(meQuery)
  const { data } = useQuery({ ...readWaitingOptions(), enabled: me?.is_email_verified ?? false })
  // websites are a tab of the posts
  return { posts: data && data.posts + data.websites, socialAccounts: data?.accounts, assistants: data?.assistants }
}

export function Navigation() {
  const waiting = useWaiting()
  const { t } = useTranslation(['common', 'navigation'])
  const { pathname, search } = useLocation()
  const id = useId()
  return (
    <nav className="nav" aria-label={t('navigation:main')}>
      {groups.map((group, index) => (
        <div key={group.name ?? 'start'} className="nav-group">
          {group.name && (
            <div className="nav-title" id={`${id}${index}`}>
              {t(`navigation:${group.name}`)}
            </div>
          )}
          <ul aria-labelledby={group.name && `${id}${index}`}>
            {group.pages.map((page) => {
              const current = isCurrent(page, pathname, search)
              const count = waiting[page.name] ?? 0
              return (
                <li key={page.name}>
                  <Link
                    to={page.to}
                    className={current ? 'nav-link active' : 'nav-link'}
                    aria-current={current ? 'page' : undefined}
                  >
                    <page.icon size={17} stroke={1.7} aria-hidden />
                    <span>{t(`navigation:${page.name}`)}</span>
                    {count > 0 && <b aria-label={t('navigation:waiting', { count })}>{count}</b>}
                  </Link>
                </li>
              )
            })}
          </ul>
        </div>
      ))}
    </nav>
  )
}
