import { Button } from '@mantine/core'
import { memo } from 'react'
import { useTranslation } from 'react-i18next'
import { SearchField } from '@/components/search-field'
import { SaveNote } from './save-note'
import type { TreeEditor } from './tree-editor'
import { TreeHelp } from './tree-help'

interface TreeBarProps {
  search: string
  onSearch: (text: string) => void
  /** None while nothing is searched for. */
  matches: number | undefined
  total: number
  onExpandAll: () => void
  onCollapseAll: () => void
  editor: TreeEditor
  help: boolean
  onHelp: (opened: boolean) => void
}

/** Above the tree; scrolling does not draw it again. */
export const TreeBar = memo(function TreeBar(props: TreeBarProps) {
  const { search, onSearch, matches, total, onExpandAll, onCollapseAll, editor, help, onHelp } = props
  const { t } = useTranslation(['common', 'topics'])
  return (
    <div className="tree-bar">
      <SearchField label={t('topics:find')} value={search} onSearch={onSearch} />
      {matches === undefined ? (
        <>
          <Button size="compact-xs" variant="default" onClick={onExpandAll}>
            {t('topics:expandAll')}
          </Button>
          <Button size="compact-xs" variant="default" onClick={onCollapseAll}>
            {t('topics:collapseAll')}
          </Button>
        </>
      ) : (
        <span className="dim num" role="status">
          {t('topics:matches', { count: matches, total })}
        </span>
      )}
      <span className="grow" />
      <SaveNote editor={editor} />
      <span className="tree-help">
        <TreeHelp opened={help} onChange={onHelp} />
      </span>
    </div>
  )
})
