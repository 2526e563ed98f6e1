import { useTranslation } from 'react-i18next'
import { Link, NavLink, Outlet } from 'react-router'
import { Logo, Mark } from '@/components/brand'
import { ColourSchemeSwitch } from '@/components/colour-scheme-switch'
import { LanguageMenu } from '@/components/language-menu'
import { MAIN_ID } from '@/components/skip-link'
import { paths } from '@/lib/paths'

/** The frame for visitors: top bar, page, footer. */
export function PublicShell() {
  const { t } = useTranslation()
  return (
    <div className="pub">
      <header className="ptop">
        <Link to={paths.root} aria-label={`Postloom: ${t('navigation.home')}`}>
          <Logo size={30} />
        </Link>
        <nav aria-label={t('navigation.public')}>
          <LanguageMenu />
          <ColourSchemeSwitch />
          <NavLink to={paths.signIn} className="ptop-link">
            {t('navigation.login')}
          </NavLink>
          <NavLink to={paths.signUp} className="ptop-cta">
            {t('navigation.signUp')}
          </NavLink>
        </nav>
      </header>
      <main className="pub-main" id={MAIN_ID} tabIndex={-1}>
        <Outlet />
      </main>
      <footer className="pfoot">
        <span className="pfoot-brand">
          <Mark size={20} /> Postloom
        </span>
        <span>{t('navigation.footer')}</span>
        <Link to={paths.privacyPolicy}>{t('navigation.privacyPolicy')}</Link>
      </footer>
    </div>
  )
}
