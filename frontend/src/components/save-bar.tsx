import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

interface SaveBarProps {
  /** How many fields differ; nothing is shown at 0. */
  changes: number
  saving: boolean
  onDiscard: () => void
  /** Verb and object in place of "Save". */
  saveLabel?: string
  /** Not there yet: it can be saved as it is, also without a change. */
  isNew?: boolean
  /** Another way to save, which then is the one to choose. */
  more?: { label: string; onSave: () => void }
}

/** What is taller, such as an editor, is not moved under whoever types in it. */
const FIELD = 160 // px

/** At the end of a `<form>`: its save button submits. */
export function SaveBar({ changes, saving, onDiscard, saveLabel, isNew = false, more }: SaveBarProps) {
  const { t } = useTranslation()
  const isShown = changes > 0 || isNew
  // it comes up over the field whose first change it tells of
  useEffect(() => {
    const field = document.activeElement
    if (isShown && field?.closest('form') && field.clientHeight < FIELD) field.scrollIntoView({ block: 'nearest' })
  }, [isShown])
  if (!isShown) return null
  return (
    <div className="savebar">
      <span className="savebar-state" role="status">
        <i aria-hidden />
        {changes === 0 ? t('notSavedYet') : t('unsavedChanges', { count: changes })}
      </span>
      {changes > 0 && (
        <Button className="savebar-discard" size="xs" onClick={onDiscard} disabled={saving}>
          {t('discard')}
        </Button>
      )}
      <Button
        className={more && 'savebar-discard'}
        size="xs"
        color={more ? undefined : 'saffron'}
        type="submit"
        loading={!more && saving}
        disabled={more && saving}
      >
        {saveLabel ?? t('save')}
      </Button>
      {more && (
        <Button size="xs" color="saffron" loading={saving} onClick={more.onSave}>
          {more.label}
        </Button>
      )}
    </div>
  )
}
