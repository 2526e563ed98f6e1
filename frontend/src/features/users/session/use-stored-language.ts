import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import i18n from 'i18next'
import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '@/i18n'
import { isLanguage, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { meQuery, useUpdateMe } from './api'

/**
 * Keep the languages of interface and account equal. On arrival the account's language wins; a change here is saved to
 * the account, whose mails use it. Return whether the account's language is loaded, so that no other one is shown
 * before.
 */
export function useStoredLanguage(): boolean {
  const { t } = useTranslation()
  const shown = useLanguage()
  const queryClient = useQueryClient()
  const { data: me } = useQuery(meQuery)
  const { mutate } = useUpdateMe()
  const stored = me?.language

  const [arrived, setArrived] = useState(false)
  if (stored && !arrived && stored === shown) setArrived(true)
  // only if the account's language changes, not the interface's
  const speak = useEffectEvent((language: Language) => {
    if (language === shown) return
    changeLanguage(language).catch(() => {
      setArrived(true)
      notifications.show({ color: 'red', message: t('languageMissing') })
    })
  })
  useLayoutEffect(() => {
    if (stored) speak(stored)
  }, [stored])

  const failed = useRef('')
  useEffect(() => {
    failed.current = t('languageNotSaved')
  }, [t])
  useEffect(() => {
    const follow = async (language: string) => {
      const user = queryClient.getQueryData(meQuery.queryKey)
      if (!user || user.language === language || !isLanguage(language)) return
      // a response on its way still has the old language
      await queryClient.cancelQueries(meQuery)
      queryClient.setQueryData(meQuery.queryKey, { ...user, language })
      mutate(
        { body: { language } },
        { onError: () => void notifications.show({ color: 'red', message: failed.current }) },
      )
    }
    const changed = (language: string) => void follow(language)
    i18n.on('languageChanged', changed)
    return () => i18n.off('languageChanged', changed)
  }, [queryClient, mutate])
  return arrived || !stored
}
