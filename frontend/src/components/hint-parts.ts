import { Tooltip } from '@mantine/core'

/** What a hint is shown with, loaded when the page stands. */
export const parts = { Tooltip }
