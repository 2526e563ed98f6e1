import { ActionIcon, type ActionIconProps } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { useTranslation } from 'react-i18next'
import type { ColumnKey } from './columns'

export interface ColumnChoiceProps {
  columns: ColumnKey[]
  onChange: (columns: ColumnKey[]) => void
}

export function ColumnButton(props: ActionIconProps & ComponentProps<'button'>) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <ActionIcon size={32} variant="default" aria-label={t('posts:columns')} title={t('posts:columns')} {...props}>
      <IconColumns3 size={16} aria-hidden />
    </ActionIcon>
  )
}
