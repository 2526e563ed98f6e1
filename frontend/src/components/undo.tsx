import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const OFFERED_FOR = 8_000 // ms

interface Offer {
  message: string
  label: string
  undo: () => void
  /** In ms; by default 8 seconds. */
  offeredFor?: number
}

/** Show what was done, with a button to undo it for a while. Return a function that removes the offer early. */
export function showUndo({ message, label, undo, offeredFor = OFFERED_FOR }: Offer): () => void {
  const id = notifications.show({
    autoClose: offeredFor,
    message: (
      <div className="message-and-undo">
        <span className="grow">
          {message}
        </span>
        <Button
          flex="none"
          size="compact-sm"
          variant="subtle"
          onClick={() => {
            notifications.hide(id)
            undo()
          }}
        >
          {label}
        </Button>
      </div>
    ),
  })
  return () => void notifications.hide(id)
}
