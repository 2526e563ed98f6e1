import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'

/** Shown if filters find nothing: a sentence with the filters, without a drawing. */
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
