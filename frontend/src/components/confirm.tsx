import { useTranslation } from 'react-i18next'
import { openQuestion } from '@/lib/dialogs'

interface Question {
  /** A question or a verb with its object. */
  title: string
  text: string
  /** Label of the button: the same verb and object. */
  action: string
  /** Label of the other button, if "Cancel" would be ambiguous. */
  keep?: string
  /** For actions that can't be undone. */
  danger?: boolean
}

/** Return a function that asks before something is published or can't be undone. For anything else use `showUndo`. */
export function useConfirm(): (question: Question) => Promise<boolean> {
  const { t } = useTranslation()
  return ({ title, text, action, keep = t('cancel'), danger = false }) =>
    new Promise((resolve) => {
      openQuestion({
        title,
        children: <p className="prose">{text}</p>,
        labels: { confirm: action, cancel: keep },
        confirmProps: { color: danger ? 'red' : 'petrol' },
        onConfirm: () => resolve(true),
        // closed in any other way; after a confirmation the promise is already settled
        onClose: () => resolve(false),
      })
    })
}
