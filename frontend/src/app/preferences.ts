import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { languageNames } from '@/i18n/languages'
import { useLanguage } from '@/i18n/use-format'

/** The two switches that stand in the user menu and in the command menu. */
export function usePreferences() {
  const { t, i18n } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  const other = useLanguage() === 'de' ? 'en' : 'de'
  return {
    language: { label: languageNames[other], icon: IconLanguage, lang: other, change: () => void i18n.changeLanguage(other) },
    colourScheme: {
      label: t(dark ? 'common.lightMode' : 'common.darkMode'),
      icon: dark ? IconSun : IconMoon,
      change: () => setColorScheme(dark ? 'light' : 'dark'),
    },
  }
}
