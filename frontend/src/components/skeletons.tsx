import { Skeleton } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const SHOW_AFTER = 200 // ms
const EXPLAIN_AFTER = 10_000 // ms

function useElapsed(milliseconds: number): boolean {
  const [elapsed, setElapsed] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setElapsed(true), milliseconds)
    return () => clearTimeout(timer)
  }, [milliseconds])
  return elapsed
}

/** Placeholder of a loading list: nothing for 200 ms, and after 10 s an explaining sentence. */
export function RowSkeletons({ rows = 4 }: { rows?: number }) {
  const { t } = useTranslation()
  const shown = useElapsed(SHOW_AFTER)
  const long = useElapsed(EXPLAIN_AFTER)
  if (!shown) return null
  return (
    <div className="panel" role="status" aria-busy="true">
      <span className="vh">{t('loading')}</span>
      <div className="rows" aria-hidden="true">
        {Array.from({ length: rows }, (_, index) => (
          <div key={index}>
            <Skeleton height={32} width={32} radius="md" />
            <div className="grow">
              <Skeleton height={11} width={`${48 + ((index * 14) % 26)}%`} />
              <Skeleton height={9} mt={8} width={`${26 + ((index * 9) % 20)}%`} />
            </div>
            <Skeleton height={20} width={70} />
          </div>
        ))}
      </div>
      {long && <div className="loading-note">{t('loadingLong')}</div>}
    </div>
  )
}
