import { useTranslation } from 'react-i18next'

/** Return a function that adds the number of unsaved changes to a text, if there are any. */
export function useWithUnsavedChanges(changes: number): (text: string) => string {
  const { t } = useTranslation()
  return (text) => (changes > 0 ? `${text} · ${t('unsavedChanges', { count: changes })}` : text)
}
