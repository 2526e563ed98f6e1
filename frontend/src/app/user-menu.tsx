import { Avatar, Menu, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconDots, IconLogout, IconUser } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useSignOut } from '@/features/session/api'
import { paths } from '@/lib/paths'
import { usePreferences } from './preferences'

interface UserMenuProps {
  email: string
  displayName: string
}

export function UserMenu({ email, displayName }: UserMenuProps) {
  const { t } = useTranslation()
  const { language, colourScheme } = usePreferences()
  const signOut = useSignOut()
  const name = email.slice(0, email.lastIndexOf('@'))
  return (
    <Menu position="top-start" width={220}>
      <Menu.Target>
        <UnstyledButton className="me">
          <Avatar size={28} radius="50%" color="saffron" aria-hidden>
            {initials(displayName || email)}
          </Avatar>
          <VisuallyHidden component="span">{t('navigation.userMenu')}</VisuallyHidden>{' '}
          <span className="me-email" title={email}>
            {name}
            <wbr />
            {email.slice(name.length)}
          </span>
          <IconDots size={16} aria-hidden />
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`${paths.account}?tab=profile`} leftSection={<IconUser size={16} aria-hidden />}>
          {t('navigation.profile')}
        </Menu.Item>
        <Menu.Item lang={language.lang} leftSection={<language.icon size={16} aria-hidden />} onClick={language.change}>
          {language.label}
        </Menu.Item>
        <Menu.Item leftSection={<colourScheme.icon size={16} aria-hidden />} onClick={colourScheme.change}>
          {colourScheme.label}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {t('navigation.logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

/** The first letters of the first two words; of an address, of what stands before the @. */
function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s.]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}
