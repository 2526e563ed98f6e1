const onApple = /Mac|iPhone|iPad/.test(navigator.userAgent)

/** How a letter is called that is pressed with Ctrl, as that key is called here, or with ⌘ on what Apple makes. */
export const shortcutText = (ctrl: string, letter: string) => (onApple ? `⌘${letter}` : `${ctrl} ${letter}`)
