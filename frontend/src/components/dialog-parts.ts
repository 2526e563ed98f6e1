import { Drawer, Modal } from '@mantine/core'

/** What the doors in dialog.tsx lead to. */
export const parts = { Drawer, Modal }
