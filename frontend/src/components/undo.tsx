import { Button, Group, Text } from '@mantine/core'
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
      <Group justify="space-between" wrap="nowrap">
        <Text span inherit className="grow" lineClamp={5}>
          {message}
        </Text>
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
      </Group>
    ),
  })
  return () => void notifications.hide(id)
}
