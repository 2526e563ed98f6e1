import { ActionIcon, Checkbox, CheckboxGroup, Popover } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { COLUMNS, postColumns, type ColumnKey } from './columns'

interface ColumnChoiceProps {
  columns: ColumnKey[]
  onChange: (columns: ColumnKey[]) => void
}

export function ColumnChoice({ columns, onChange }: ColumnChoiceProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <Popover position="bottom-end" trapFocus withRoles>
      <Popover.Target>
        <ActionIcon size={32} variant="default" aria-label={t('posts:columns')} title={t('posts:columns')}>
          <IconColumns3 size={16} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown>
        <CheckboxGroup label={t('posts:columns')} value={columns} onChange={onChange}>
          <div className="stack column-choice">
            {COLUMNS.map((column) => (
              <Checkbox key={column} value={column} label={t(postColumns[column].name)} />
            ))}
          </div>
        </CheckboxGroup>
      </Popover.Dropdown>
    </Popover>
  )
}
