import { UnstyledButton } from '@mantine/core'
import { IconLanguage } from '@tabler/icons-react'
import { lazy, Suspense, useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { changeLanguage } from '@/i18n'
import { languageFacts, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'

const loadChoices = () => import('./language-choices')
const LanguageChoices = lazy(loadChoices)
/** Load the menu before the click; if that fails, the click reports it. */
const reach = () => void loadChoices().catch(() => undefined)

export function LanguageMenu() {
  const { t } = useTranslation()
  const [reached, setReached] = useState(false)
  const [failed, setFailed] = useState(false)
  const current = useLanguage()
  const change = (language: Language) =>
    void changeLanguage(language).then(
      () => setFailed(false),
      () => setFailed(true),
    )
  const button = (ref?: Ref<HTMLButtonElement>, open?: () => void) => (
    <UnstyledButton
      ref={ref}
      className="ptop-mini"
      aria-label={`${t('language')}: ${languageFacts(current).name}`}
      aria-haspopup="menu"
      onPointerEnter={reach}
      onFocus={reach}
      onClick={open}
    >
      <IconLanguage size={17} stroke={1.7} aria-hidden />
      <span>{languageFacts(current).name}</span>
    </UnstyledButton>
  )
  const closed = button(undefined, () => setReached(true))
  return (
    <>
      {reached ? (
        <Suspense fallback={closed}>
          <LanguageChoices current={current} onChoose={change} button={button} />
        </Suspense>
      ) : (
        closed
      )}
      {failed && (
        <p className="ptop-note" role="alert">
          {t('languageMissing')}
        </p>
      )}
    </>
  )
}
