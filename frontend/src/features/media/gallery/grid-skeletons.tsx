import { Skeleton } from '@mantine/core'
import { useTimeout } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'

const SHOW_AFTER = 200 // ms
const EXPLAIN_AFTER = 10_000 // ms
const TILES = 12

/** The loading state of the grid: nothing for 200 ms, then skeletons, after 10 s also a sentence. */
export function GridSkeletons() {
  const { t } = useTranslation()
  const [shown, setShown] = useState(false)
  const [long, setLong] = useState(false)
  useTimeout(() => setShown(true), SHOW_AFTER, { autoInvoke: true })
  useTimeout(() => setLong(true), EXPLAIN_AFTER, { autoInvoke: true })
  if (!shown) return null
  return (
    <div role="status" aria-busy="true">
      <span className="vh">{t('loading')}</span>
      {long && <p className="loading-note">{t('loadingLong')}</p>}
      <div className="gallery" aria-hidden="true">
        {Array.from({ length: TILES }, (_, index) => (
          <div key={index}>
            <Skeleton className="photo-skeleton" radius={10} />
            <Skeleton height={11} mt={11} width={`${58 + ((index * 17) % 34)}%`} />
            <Skeleton height={9} mt={8} width={`${34 + ((index * 11) % 24)}%`} />
          </div>
        ))}
      </div>
    </div>
  )
}
