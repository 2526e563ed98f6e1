import { useTranslation } from 'react-i18next'

/** Id of the element that the skip link and every navigation focus. */
export const MAIN_ID = 'main'

export function SkipLink() {
  const { t } = useTranslation()
  return (
    <a href={`#${MAIN_ID}`} className="skip">
      {t('skip')}
    </a>
  )
}
