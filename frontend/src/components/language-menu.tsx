import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { languageNames, languages } from '@/i18n/languages'
import { useLanguage } from '@/i18n/use-format'

export function LanguageMenu() {
  const { t, i18n } = useTranslation()
  const current = useLanguage()
  return (
    <Menu position="bottom-end" withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <UnstyledButton className="ptop-mini" aria-label={`${t('common.language')}: ${languageNames[current]}`}>
          <IconLanguage size={17} stroke={1.7} aria-hidden />
          <span>{languageNames[current]}</span>
        </UnstyledButton>
      </Menu.Target>
      <Menu.Dropdown>
        {languages.map((language) => (
          <Menu.Item
            key={language}
            lang={language}
            rightSection={language === current ? <IconCheck size={15} aria-hidden /> : undefined}
            aria-current={language === current || undefined}
            onClick={() => void i18n.changeLanguage(language)}
          >
            {languageNames[language]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
