import { useHotkeys } from '@mantine/hooks'
import { useTranslation } from 'react-i18next'
import type { Change, TreeActions } from './use-tree-actions'

const HAS_OWN_UNDO = 'input:not([type=checkbox]), textarea, [role=dialog], [role=alertdialog]'

/**
 * Undo and redo changes of the tree by keys, unless the focus is in a text field or a dialog. `onTurn` gets the change,
 * or undefined and the sentence that there was none.
 */
export function useUndoKeys({ undo, redo }: TreeActions, onTurn: (change: Change | undefined, nothing: string) => void) {
  const { t } = useTranslation(['common', 'topics'])
  const handle = (turn: () => Change | undefined, nothing: string) => (event: KeyboardEvent) => {
    if (event.target instanceof Element && event.target.closest(HAS_OWN_UNDO)) return
    event.preventDefault()
    onTurn(turn(), nothing)
  }
  const onUndo = handle(undo, t('topics:said.nothingToUndo'))
  const onRedo = handle(redo, t('topics:said.nothingToRedo'))
  const options = { preventDefault: false }
  useHotkeys([['mod+Z', onUndo, options], ['mod+shift+Z', onRedo, options], ['mod+Y', onRedo, options]], [])
}
