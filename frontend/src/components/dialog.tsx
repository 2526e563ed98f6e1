import type { Drawer as MantineDrawer, Modal as MantineModal } from '@mantine/core'
import type { ComponentProps } from 'react'
import { later } from './later'

/** Mantine's own, once the page stands. */
export const Modal = later<ComponentProps<typeof MantineModal>>(async () => (await import('./dialog-parts')).parts.Modal)
export const Drawer = later<ComponentProps<typeof MantineDrawer>>(async () => (await import('./dialog-parts')).parts.Drawer)
