import { ActionIcon, Burger, UnstyledButton } from '@mantine/core'
import { useDisclosure, useHotkeys } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Outlet } from 'react-router'
import { Logo, Mark } from '@/components/brand'
import { lazyPart } from '@/components/lazy-part'
import { MAIN_ID } from '@/components/skip-link'
import { UploadsGuard } from '@/features/media/uploads/uploads-guard'
import { meQuery } from '@/features/users/session/api'
import { TimeZoneContext } from '@/i18n/locale'
import { keepFocus } from '@/lib/keep-focus'
import { shortcutText } from '@/lib/on-apple'
import { Bell, BellNotifications } from './bell'
import { LiveDot } from './live-dot'
import { LiveUpdates } from './live-updates'
import { Navigation } from './navigation'
import { useRememberPages } from './recent-pages'
import { SystemBanner } from './system-banner'
import { UserMenu } from './user-menu'

const CommandMenu = lazyPart(async () => (await import('./command-menu')).CommandMenu)
const MobileMenu = lazyPart(async () => (await import('./mobile-menu')).MobileMenu)

/** The frame for users: side navigation, on phones a top bar with a drawer, and the page as one sheet. */
export function Shell() {
  const { t } = useTranslation(['common', 'navigation'])
  const { data: me } = useQuery(meQuery)
  const [drawer, { toggle: toggleDrawer, close: closeDrawer }] = useDisclosure()
  const [commands, { open: drawCommands, close: hideCommands }] = useDisclosure()
  const before = useRef<Element | null>(null)
  const openCommands = () => {
    before.current = document.activeElement
    drawCommands()
  }
  // restore the focus here: closed before its field had the focus, the menu would not return it
  const closeCommands = () => {
    hideCommands()
    keepFocus(() => (before.current instanceof HTMLElement && before.current.isConnected ? before.current : null))
  }
  const [bell, { open: openBell, close: closeBell }] = useDisclosure()
  useRememberPages()
  useHotkeys([['mod+K', openCommands]], [])

  const foot = (
    <div className="side-foot">
      <LiveDot />
      <UserMenu email={me?.email ?? ''} displayName={me?.display_name ?? ''} />
    </div>
  )
  return (
    <TimeZoneContext value={me?.time_zone}>
      <div className="shell">
        <aside className="side">
          <div className="side-top">
            <Logo />
            <Bell opened={bell} onOpen={openBell} size={32} />
          </div>
          <UnstyledButton className="quick" onClick={openCommands}>
            <IconSearch size={15} aria-hidden />
            <span>{t('navigation:search')}</span>
            <kbd>{shortcutText(t('ctrl'), 'K')}</kbd>
          </UnstyledButton>
          <Navigation />
          {foot}
        </aside>
        <header className="mobile-top">
          <Burger opened={drawer} onClick={toggleDrawer} size="sm" aria-label={t('navigation:menu')} />
          <Mark size={26} boxed />
          <div className="mobile-top-end">
            <Bell opened={bell} onOpen={openBell} size={44} />
            <ActionIcon size={44} aria-label={t('navigation:search')} onClick={openCommands}>
              <IconSearch size={19} stroke={1.8} />
            </ActionIcon>
          </div>
        </header>
        <MobileMenu opened={drawer} onClose={closeDrawer}>
          {foot}
        </MobileMenu>
        <main className="sheet" id={MAIN_ID} tabIndex={-1}>
          <SystemBanner />
          <div className="page">
            <Suspense>
              <Outlet />
            </Suspense>
          </div>
        </main>
      </div>
      <BellNotifications opened={bell} onClose={closeBell} />
      <LiveUpdates />
      <UploadsGuard />
      <CommandMenu opened={commands} onClose={closeCommands} />
    </TimeZoneContext>
  )
}
