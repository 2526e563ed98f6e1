import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useEffect, useRef, useState, type ReactElement, type Ref } from 'react'
import { languageFacts, languages, type Language } from '@/i18n/languages'

interface LanguageChoicesProps {
  current: Language
  onChoose: (language: Language) => void
  /** Makes the button that the menu hangs on. */
  button: (ref: Ref<HTMLButtonElement>) => ReactElement
}

/** The menu behind the button: loaded when somebody reaches for it, since what a menu is made of is a tenth of a page. */
export default function LanguageChoices({ current, onChoose, button }: LanguageChoicesProps) {
  const target = useRef<HTMLButtonElement>(null)
  const [opened, setOpened] = useState(false)
  useEffect(() => {
    // it has taken the place of the button that was pressed; opened a moment later, the menu knows what to come back to
    target.current?.focus()
    const frame = requestAnimationFrame(() => setOpened(true))
    return () => cancelAnimationFrame(frame)
  }, [])
  return (
    <Menu opened={opened} onChange={setOpened} position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>{button(target)}</Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={language === current ? <IconCheck size={15} aria-hidden /> : undefined}
            aria-current={language === current || undefined}
            onClick={() => onChoose(language)}
          >
            {languageFacts(language).name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
