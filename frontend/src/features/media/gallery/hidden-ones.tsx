import { useTranslation } from 'react-i18next'

/** What assistants made is not among the images, and one click away. */
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
