import type { Menu as MantineMenu } from '@mantine/core'
import { cloneElement, useState, type ComponentProps, type ReactElement, type ReactNode, type Ref } from 'react'
import { loadedLater } from '@/lib/loaded-later'
import { useOpenedByPress } from '@/lib/use-opened-by-press'

interface TargetProps {
  ref?: Ref<HTMLButtonElement>
  onClick?: () => void
  onPointerEnter?: () => void
  onFocus?: () => void
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
}

interface LaterMenuProps extends Omit<ComponentProps<typeof MantineMenu>, 'opened' | 'onChange' | 'children' | 'target'> {
  /** The button that the menu hangs on. */
  target: ReactElement<TargetProps>
  /** What is in the menu, made of Mantine's own parts. */
  children: (Menu: typeof MantineMenu) => ReactNode
}

export const menuParts = loadedLater(async () => (await import('./menu-parts')).parts)

/** A menu whose button is there at once, and all else when the page stands: it is made of a tenth of a page. */
export function LaterMenu({ target, children, ...props }: LaterMenuProps) {
  const { part, reach, draw } = menuParts.useLoaded()
  const [pressed, setPressed] = useState(false)
  if (part)
    return (
      <Opening {...props} Menu={part.Menu} target={target} pressed={pressed}>
        {children}
      </Opening>
    )
  return cloneElement(target, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: reach,
    onFocus: reach,
    onClick: () => {
      setPressed(true)
      draw()
    },
  })
}

interface OpeningProps extends LaterMenuProps {
  Menu: typeof MantineMenu
  /** Whether it is there because of a press. */
  pressed: boolean
}

function Opening({ Menu, target, pressed, children, ...props }: OpeningProps) {
  const { button, opened, setOpened } = useOpenedByPress(pressed)
  return (
    <Menu {...props} opened={opened} onChange={setOpened}>
      <Menu.Target>{cloneElement(target, { ref: button })}</Menu.Target>
      <Menu.Dropdown>{children(Menu)}</Menu.Dropdown>
    </Menu>
  )
}
