import { Button, Group } from '@mantine/core'
import { notifications } from '@mantine/notifications'

const OFFERED_FOR = 8_000 // ms

/** Says what was done and offers for 8 seconds to take it back. */
export function showUndo({ message, label, undo }: { message: string; label: string; undo: () => void }): void {
  const id = notifications.show({
    autoClose: OFFERED_FOR,
    message: (
      <Group justify="space-between" wrap="nowrap">
        {message}
        <Button
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
}
