import { useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconLanguage, IconMoon, IconSun } from '@tabler/icons-react'
import { changeLanguage } from '@/i18n'
import { languageNames } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { useTranslation } from '@/i18n/translation'

/** The two switches that stand in the user menu and in the command menu. */
export function usePreferences() {
  const { t } = useTranslation()
  const { setColorScheme } = useMantineColorScheme()
  const dark = useComputedColorScheme('light') === 'dark'
  const other = useLanguage() === 'de' ? 'en' : 'de'
  const change = () =>
    changeLanguage(other).catch(() => notifications.show({ color: 'red', message: t('common.languageMissing') }))
  return {
    language: { label: languageNames[other], icon: IconLanguage, lang: other, change: () => void change() },
    colourScheme: {
      label: t(dark ? 'common.lightMode' : 'common.darkMode'),
      icon: dark ? IconSun : IconMoon,
      change: () => setColorScheme(dark ? 'light' : 'dark'),
    },
  }
}
