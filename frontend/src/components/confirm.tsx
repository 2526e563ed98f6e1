import { useTranslation } from 'react-i18next'
import { openQuestion } from '@/lib/dialogs'

interface Question {
  /** A question or a verb with its object. */
  title: string
  text: string
  /** Verb and object again, on the button. */
  action: string
  /** What the other button says, where "Cancel" could mean both. */
  keep?: string
  /** For what can't be taken back. */
  danger?: boolean
}

/** Asks before something leaves the house or can't return; everything else is done at once with `showUndo`. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation()
  return ({ title, text, action, keep = t('cancel'), danger = false }) =>
    new Promise((resolve) => {
      openQuestion({
        title,
        children: <p className="said">{text}</p>,
        labels: { confirm: action, cancel: keep },
        confirmProps: { color: danger ? 'red' : 'petrol' },
        onConfirm: () => resolve(true),
        // closing by any other way; after a confirmation the promise is already settled
        onClose: () => resolve(false),
      })
    })
}
