import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const OFFERED_FOR = 8_000 // ms

interface Offer {
  message: string
  label: string
  undo: () => void
  /** In ms: 8 seconds, unless something else depends on it. */
  offeredFor?: number
}

/** Says what was done and offers for a while to take it back. Returns what ends the offer before. */
export function showUndo({ message, label, undo, offeredFor = OFFERED_FOR }: Offer): () => void {
  const id = notifications.show({
    autoClose: offeredFor,
    message: (
      <div className="said-and-undo">
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
