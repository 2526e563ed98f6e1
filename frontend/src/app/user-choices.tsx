import { Menu } from '@mantine/core'
import { IconLogout, IconUser } from '@tabler/icons-react'
import type { ReactElement, Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOpeningMenu } from '@/components/use-opening-menu'
import { useSignOut } from '@/features/users/session/api'
import { paths } from '@/lib/paths'
import { usePreferences } from './preferences'

interface UserChoicesProps {
  /** Renders the menu's button. */
  button: (ref: Ref<HTMLButtonElement>) => ReactElement
}

/** The menu of the button, loaded on hover or focus, like the language menu. */
export default function UserChoices({ button }: UserChoicesProps) {
  const { t } = useTranslation(['common', 'navigation'])
  const { language, colourScheme } = usePreferences()
  const signOut = useSignOut()
  const { target, opened, setOpened } = useOpeningMenu()
  return (
    <Menu opened={opened} onChange={setOpened} position="top-start" width={220}>
      <Menu.Target>{button(target)}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={`${paths.account}?tab=profile`} leftSection={<IconUser size={16} aria-hidden />}>
          {t('navigation:profile')}
        </Menu.Item>
        <Menu.Item lang={language.lang} leftSection={<language.icon size={16} aria-hidden />} onClick={language.change}>
          {language.label}
        </Menu.Item>
        <Menu.Item leftSection={<colourScheme.icon size={16} aria-hidden />} onClick={colourScheme.change}>
          {colourScheme.label}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item leftSection={<IconLogout size={16} aria-hidden />} onClick={() => void signOut()}>
          {t('navigation:logout')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
