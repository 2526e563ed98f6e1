import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'

interface SaveBarProps {
  /** Number of changed fields; at 0 nothing is shown. */
  changes: number
  saving: boolean
  onDiscard: () => void
  /** Verb and object instead of "Save". */
  saveLabel?: string
  /** A new object, which can be saved without changes. */
  isNew?: boolean
  /** Another way to save, which becomes the primary one. */
  more?: { label: string; onSave: () => void }
}

/** Taller fields, such as an editor, are not scrolled while typing. */
const FIELD = 160 // px

/** The save bar at the end of a `<form>`; its save button submits. */
export function SaveBar({ changes, saving, onDiscard, saveLabel, isNew = false, more }: SaveBarProps) {
  const { t } = useTranslation()
  const isShown = changes > 0 || isNew
  // the bar may cover the field whose first change makes it appear
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
