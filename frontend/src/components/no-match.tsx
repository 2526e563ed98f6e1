import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Filters that find nothing get no drawing: the sentence says what was looked for. */
export function NoMatch({ text, onClear }: { text: string; onClear: () => void }) {
  const { t } = useTranslation()
  return (
    <div className="panel no-match">
      <p>{text}</p>
      <Button size="xs" variant="default" onClick={onClear}>
        {t('clearFilters')}
      </Button>
    </div>
  )
}
