import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { EmptyState } from '@/components/empty-state'
import { usePageTitle } from '@/components/page'
import { useTranslation } from '@/i18n/translation'
import { isProblem, problemText } from '@/lib/problems'
import { paths } from '@/lib/paths'

/** How Chromium, Firefox and Safari say that a part of the app did not load, and Vite that its styles did not. */
const PART_MISSING = /dynamically imported module|Importing a module script failed|Unable to preload CSS/

/** In place of a page that broke. */
export function ErrorScreen() {
  const { t } = useTranslation()
  const error = useRouteError()
  const missing = error instanceof Error && PART_MISSING.test(error.message)
  const title = t(missing ? 'common.partMissing' : 'common.screenFailed')
  usePageTitle(title)
  // what the connection kept away is there again once there is one
  const unreachable = missing || (isProblem(error) && error.code === 'unreachable')
  useEffect(() => {
    if (!unreachable) return
    const startAgain = () => location.reload()
    addEventListener('online', startAgain)
    return () => removeEventListener('online', startAgain)
  }, [unreachable])
  const reason = isProblem(error) ? problemText(t, error) : t('common.screenFailedText')
  return (
    <div className="pub-page" role="alert">
      <EmptyState
        art="cut"
        level={1}
        title={title}
        text={missing ? t('common.partMissingText') : reason}
        actions={
          <>
            {/* a plain link: the whole app starts again */}
            <Button component="a" href={paths.root} variant="default">
              {t('common.goHome')}
            </Button>
            <Button onClick={() => location.reload()}>{t('common.reload')}</Button>
          </>
        }
      />
    </div>
  )
}
