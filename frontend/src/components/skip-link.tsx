import { useTranslation } from '@/i18n/translation'

/** The element that the skip link and every navigation lead to. */
export const MAIN_ID = 'main'

export function SkipLink() {
  const { t } = useTranslation()
  return (
    <a href={`#${MAIN_ID}`} className="skip">
      {t('common.skip')}
    </a>
  )
}
