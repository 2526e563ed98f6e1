import { UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'

const loadChoices = () => import('./user-choices')
const UserChoices = lazy(loadChoices)
/** Load the menu before the click; if that fails, the click reports it. */
const reach = () => void loadChoices().catch(() => undefined)

interface UserMenuProps {
  email: string
  displayName: string
}

export function UserMenu({ email, displayName }: UserMenuProps) {
  const { t } = useTranslation(['common', 'navigation'])
  const [reached, setReached] = useState(false)
  const name = email.slice(0, email.lastIndexOf('@'))
  const button = (ref?: Ref<HTMLButtonElement>, open?: () => void) => (
    <UnstyledButton ref={ref} className="me" aria-haspopup="menu" onPointerEnter={reach} onFocus={reach} onClick={open}>
      <span className="me-initials" aria-hidden>
        {initials(displayName || email)}
      </span>
      <VisuallyHidden component="span">{t('navigation:userMenu')}</VisuallyHidden>{' '}
      <span className="me-email" title={email}>
        {name}
        <wbr />
        {email.slice(name.length)}
      </span>
      <IconDots size={16} aria-hidden />
    </UnstyledButton>
  )
  const closed = button(undefined, () => setReached(true))
  return reached ? (
    <Suspense fallback={closed}>
      <UserChoices button={button} />
    </Suspense>
  ) : (
    closed
  )
}

/** Return the first letters of the first two words; of an address, of the part before the @. */
function initials(name: string): string {
  const words = (name.split('@')[0] ?? '').split(/[\s.]+/).filter(Boolean)
  return words
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('')
}
