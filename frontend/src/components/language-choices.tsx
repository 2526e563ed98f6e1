import { Menu } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import type { ReactElement, Ref } from 'react'
import { languageFacts, languages, type Language } from '@/i18n/languages'
import { useOpeningMenu } from './use-opening-menu'

interface LanguageChoicesProps {
  current: Language
  onChoose: (language: Language) => void
  /** Renders the menu's button. */
  button: (ref: Ref<HTMLButtonElement>) => ReactElement
}

/** The menu of the button. Loaded on hover or focus, since menus are a tenth of a page's code. */
export default function LanguageChoices({ current, onChoose, button }: LanguageChoicesProps) {
  const { target, opened, setOpened } = useOpeningMenu()
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
