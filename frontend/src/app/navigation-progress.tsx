import { useEffect, useState } from 'react'
import { useNavigation } from 'react-router'
import { useTranslation } from '@/i18n/translation'
import './navigation-progress.css'

const SHOW_AFTER = 150 // ms: most pages are there by then

/** A thin line over the page while the next one is on its way. */
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
  return shown && <div className="navigation-progress" role="progressbar" aria-label={t('common.loading')} />
}
