import { NumberInput } from '@mantine/core'

/** What a field for a number is made of, loaded when the page stands. */
export const parts = { NumberInput }
