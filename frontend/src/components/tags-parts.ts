import { TagsInput } from '@mantine/core'

/** What a field for tags is made of with its list, loaded when the page stands. */
export const parts = { TagsInput }
