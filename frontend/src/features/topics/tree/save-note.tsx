import { Button } from '@mantine/core'
import { IconAlertTriangle, IconCheck, IconCloudOff } from '@tabler/icons-react'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useSaveState } from '@/features/topics/api'
import type { TreeEditor } from './tree-editor'

/** Whether everything is saved. Empty before the first edit. */
export function SaveNote({ editor }: { editor: TreeEditor }) {
  const { t } = useTranslation(['common', 'topics'])
  const state = useSaveState(editor)
  const unsaved = state === 'saving' || state === 'waiting'
  useEffect(() => {
    if (!unsaved) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [unsaved])
  return (
    <span className="tree-saved" role="status" data-state={state}>
      {state === 'saving' && (
        <>
          <i aria-hidden />
          {t('topics:saving')}
        </>
      )}
      {state === 'saved' && (
        <>
          <IconCheck size={14} aria-hidden />
          {t('saved')}
        </>
      )}
      {state === 'refused' && (
        <>
          <IconAlertTriangle size={14} aria-hidden />
          {t('topics:notAllSaved')}
        </>
      )}
      {state === 'waiting' && (
        <>
          <IconCloudOff size={14} aria-hidden />
          {t('topics:notSavedYet')}
          <Button size="compact-xs" variant="subtle" onClick={editor.retry}>
            {t('tryAgain')}
          </Button>
        </>
      )}
    </span>
  )
}
