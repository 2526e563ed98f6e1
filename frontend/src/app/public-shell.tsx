import { useTranslation } from 'react-i18next'
import { Link, NavLink, Outlet, useLocation } from 'react-router'
import type { UserOut } from '@/api/types.gen'
import { Logo, Mark } from '@/components/brand'
import { ColourSchemeSwitch } from '@/components/colour-scheme-switch'
import { LanguageMenu } from '@/components/language-menu'
import { MAIN_ID } from '@/components/skip-link'
import { UserLinks } from '@/features/users/session/user-links'
import { TimeZoneContext } from '@/i18n/locale'
import { paths } from '@/lib/paths'

interface PublicShellProps {
  /** A user whose e-mail is not verified yet; undefined for visitors. */
  me?: UserOut
}

/** The frame without side navigation: top bar, page, footer. */
export function PublicShell({ me }: PublicShellProps) {
  const { t } = useTranslation(['common', 'navigation'])
  const { pathname } = useLocation()
  return (
    <TimeZoneContext value={me?.time_zone}>
      <div className="pub">
        <header className="ptop">
          <Link to={paths.root} aria-label={`Postloom: ${t('navigation:home')}`}>
            <Logo size={30} />
          </Link>
          <nav aria-label={t('navigation:public')}>
            <LanguageMenu />
            <ColourSchemeSwitch />
            {me ? <UserLinks email={me.email} /> : <VisitorLinks />}
          </nav>
        </header>
        <main className="pub-main" id={MAIN_ID} tabIndex={-1}>
          {me && pathname === paths.account ? (
            // the only page of the authenticated area in this frame
            <div className="page pub-account">
              <Outlet />
            </div>
          ) : (
            <Outlet />
          )}
        </main>
        <footer className="pfoot">
          <span className="pfoot-brand">
            <Mark size={20} /> Postloom
          </span>
          <span>{t('navigation:footer')}</span>
          <Link to={paths.privacyPolicy}>{t('navigation:privacyPolicy')}</Link>
        </footer>
      </div>
    </TimeZoneContext>
  )
}

function VisitorLinks() {
  const { t } = useTranslation(['common', 'navigation'])
  return (
    <>
      <NavLink to={paths.signIn} className="ptop-link">
        {t('navigation:login')}
      </NavLink>
      <NavLink to={paths.signUp} className="ptop-cta">
        {t('navigation:signUp')}
      </NavLink>
    </>
  )
}
