import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigation } from 'react-router'
import './navigation-progress.css'

const SHOW_AFTER = 150 // ms: most pages are loaded by then

/** A thin line above the page while the next one loads. */
export function NavigationProgress() {
  return useNavigation().state === 'loading' && <Line />
}

function Line() {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), SHOW_AFTER)
    return () => clearTimeout(timer)
  }, [])
  return shown && <div className="navigation-progress" role="progressbar" aria-label={t('loading')} />
}
