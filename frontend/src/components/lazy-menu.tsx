import { lazy, Suspense, useState, type ComponentType, type FocusEventHandler, type PointerEventHandler, type ReactElement, type Ref } from 'react'

/** What the button of a menu needs besides its look. */
interface MenuButtonProps {
  ref?: Ref<HTMLButtonElement>
  'aria-haspopup'?: 'menu'
  'aria-expanded'?: boolean
  onPointerEnter?: PointerEventHandler
  onFocus?: FocusEventHandler
  onClick?: () => void
}

export interface MenuProps {
  /** Renders the menu's button. */
  button: (props: MenuButtonProps) => ReactElement
}

/**
 * Return a menu whose code, a tenth of a page's, is a separate chunk: fetched when its button is hovered or focused, and
 * rendered on the click. The loaded component opens by `useOpeningMenu`.
 */
export function lazyMenu<Props extends MenuProps>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const Loaded = lazy(async () => ({ default: (await load()) as ComponentType<MenuProps> }))
  /** Load the menu before the click; if that fails, the click reports it. */
  const reach = () => void load().catch(() => undefined)
  return function LazyMenu(props: Props) {
    const [clicked, setClicked] = useState(false)
    const closed = props.button({
      'aria-haspopup': 'menu',
      'aria-expanded': false,
      onPointerEnter: reach,
      onFocus: reach,
      onClick: () => setClicked(true),
    })
    return clicked ? (
      <Suspense fallback={closed}>
        <Loaded {...props} />
      </Suspense>
    ) : (
      closed
    )
  }
}
