import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useRouteError } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { usePageTitle } from '@/components/page'
import { isProblem, problemText } from '@/lib/problems'
import { paths } from '@/lib/paths'

/** Messages of Chromium, Firefox and Safari for a chunk that did not load, and of Vite for its styles. */
const PART_MISSING = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

/** Shown instead of a page that failed. */
export function ErrorScreen() {
  const { t } = useTranslation(['common', 'errors'])
  const error = useRouteError()
  const missing = error instanceof Error && PART_MISSING.test(error.message)
  const title = t(missing ? 'partMissing' : 'screenFailed')
  usePageTitle(title)
  // reload as soon as the connection is back
  const unreachable = missing || (isProblem(error) && error.code === 'unreachable')
  useEffect(() => {
    if (!unreachable) return
    const startAgain = () => location.reload()
    addEventListener('online', startAgain)
    return () => removeEventListener('online', startAgain)
  }, [unreachable])
  const reason = isProblem(error) ? problemText(t, error) : t('screenFailedText')
  return (
    <div className="pub-page" role="alert">
      <EmptyState
        art="cut"
        level={1}
        title={title}
        text={missing ? t('partMissingText') : reason}
        actions={
          <>
            {/* a plain link, which reloads the whole app */}
            <Button component="a" href={paths.root} variant="default">
              {t('goHome')}
            </Button>
            <Button onClick={() => location.reload()}>{t('reload')}</Button>
          </>
        }
      />
    </div>
  )
}
