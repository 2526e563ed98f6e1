import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

/** Explains what it means that the screen does not follow the server. */
export const explain = (label: string, dot: ReactElement) => (
  <Tooltip label={label} multiline w={260} position="top-start">
    {dot}
  </Tooltip>
)
