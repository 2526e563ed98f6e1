import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '@/i18n'
import { languageFacts, languages } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'

/** Return the two switches of the user menu and the command menu: language and colour scheme. */
export function usePreferences() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  const current = useLanguage()
  const nextLanguage = languages[(languages.indexOf(current) + 1) % languages.length] ?? current
  const change = () =>
    changeLanguage(nextLanguage).catch(() => notifications.show({ color: 'red', message: t('languageMissing') }))
  return {
    language: { label: languageFacts(nextLanguage).name, icon: IconLanguage, lang: nextLanguage, change: () => void change() },
    colourScheme: {
      label: t(dark ? 'lightMode' : 'darkMode'),
      icon: dark ? IconSun : IconMoon,
      change: () => setColorScheme(dark ? 'light' : 'dark'),
    },
  }
}
