import { Select } from '@mantine/core'

/** What a list to choose from is made of, loaded when the page stands. */
export const parts = { Select }
