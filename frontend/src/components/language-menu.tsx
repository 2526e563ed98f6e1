import { Menu, UnstyledButton } from '@mantine/core'
import { IconCheck, IconLanguage } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '@/i18n'
import { languageNames, languages, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/use-format'

export function LanguageMenu() {
  const { t } = useTranslation()
  const [failed, setFailed] = useState(false)
  const current = useLanguage()
  const change = (language: Language) => changeLanguage(language).then(
    () => setFailed(false),
    () => setFailed(true),
  )
  return (
    <>
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
              onClick={() => void change(language)}
            >
              {languageNames[language]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {failed && (
        <p className="ptop-note" role="alert">
          {t('common.languageMissing')}
        </p>
      )}
    </>
  )
}
