import { Menu } from '@mantine/core'

/** What a menu is made of, loaded when somebody is about to need it. */
export const parts = { Menu }
