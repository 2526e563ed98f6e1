import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

interface SaveBarProps {
  /** How many fields differ; nothing is shown at 0. */
  changes: number
  saving: boolean
  onDiscard: () => void
  /** Verb and object in place of "Save". */
  saveLabel?: string
}

/** At the end of a `<form>`: its save button submits. */
export function SaveBar({ changes, saving, onDiscard, saveLabel }: SaveBarProps) {
  const { t } = useTranslation()
  if (changes === 0) return null
  return (
    <div className="savebar">
      <span className="savebar-state" role="status">
        <i aria-hidden />
        {t('common.unsavedChanges', { count: changes })}
      </span>
      <Button className="savebar-discard" size="xs" onClick={onDiscard} disabled={saving}>
        {t('common.discard')}
      </Button>
      <Button size="xs" color="saffron" type="submit" loading={saving}>
        {saveLabel ?? t('common.save')}
      </Button>
    </div>
  )
}
