import { Tooltip } from '@mantine/core'
import type { ReactElement } from 'react'

export const withHint = (label: string, sign: ReactElement) => <Tooltip label={label}>{sign}</Tooltip>
