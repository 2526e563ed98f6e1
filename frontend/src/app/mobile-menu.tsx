import { CloseButton, Drawer } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Logo } from '@/components/brand'
import { Navigation } from './navigation'

interface MobileMenuProps {
  opened: boolean
  onClose: () => void
  /** Content below the navigation. */
  children: ReactNode
}

/** The navigation on phones. */
export function MobileMenu({ opened, onClose, children }: MobileMenuProps) {
  const { t } = useTranslation(['common', 'navigation'])
  return (
    <Drawer.Root opened={opened} onClose={onClose} size={280}>
      <Drawer.Overlay />
      <Drawer.Content aria-label={t('navigation:menu')}>
        {/* close on any link: the drawer would cover the new page */}
        <div
          className="mobile-nav"
          onClick={(event) => {
            if ((event.target as Element).closest('a')) onClose()
          }}
        >
          <div className="mobile-nav-top">
            <Logo />
            <CloseButton size="lg" aria-label={t('navigation:closeMenu')} onClick={onClose} />
          </div>
          <Navigation />
          {children}
        </div>
      </Drawer.Content>
    </Drawer.Root>
  )
}
