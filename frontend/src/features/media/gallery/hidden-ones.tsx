import { useTranslation } from 'react-i18next'

/** The note that images made by assistants are hidden, with a button that shows them. */
export function HiddenOnes({ count, onShow }: { count: number; onShow: () => void }) {
  const { t } = useTranslation(['common', 'media'])
  return (
    <p className="media-hidden">
      {t('media:hidden', { count })}{' '}
      <button type="button" className="link" onClick={onShow}>
        {t('media:showHidden')}
      </button>
    </p>
  )
}
