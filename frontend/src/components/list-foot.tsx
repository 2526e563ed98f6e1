import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface ListFootProps {
  /** The number of items, as text. */
  children: ReactNode
  hasMore: boolean
  loading: boolean
  onMore: () => void
}

/** Below a list: the number of items and a button for the next page. */
export function ListFoot({ children, hasMore, loading, onMore }: ListFootProps) {
  const { t } = useTranslation()
  return (
    <div className="listfoot listfoot-row">
      <span className="num" role="status">
        {children}
      </span>
      {hasMore && (
        <Button size="xs" variant="default" loading={loading} onClick={onMore}>
          {t('loadMore')}
        </Button>
      )}
    </div>
  )
}
