import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'

interface ListFootProps {
  /** How many there are, in words. */
  children: ReactNode
  hasMore: boolean
  loading: boolean
  onMore: () => void
}

/** Under a list: its count, and the next page. */
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
