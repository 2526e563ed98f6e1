const onApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** Return the name of a shortcut: the letter with Ctrl (in the user's language), or with ⌘ on Apple devices. */
export const shortcutText = (ctrl: string, letter: string) => (onApple ? `⌘${letter}` : `${ctrl} ${letter}`)
