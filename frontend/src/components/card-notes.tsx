import { useTranslation } from 'react-i18next'
import type { CardNote } from '@/api/types.gen'
import { noteText } from '@/lib/card-words'

/** What a card shows differently from its text. */
export function CardNotes({ notes }: { notes: readonly CardNote[] }) {
  const { t } = useTranslation(['common', 'cards'])
  if (notes.length === 0) return null
  return (
    <ul className="card-notes">
      {notes.map((note) => (
        <li key={note}>{noteText(t, note)}</li>
      ))}
    </ul>
  )
}
