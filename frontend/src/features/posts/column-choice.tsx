import { Checkbox, CheckboxGroup, Popover } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useOpenedByPress } from '@/lib/use-opened-by-press'
import { ColumnButton, type ColumnChoiceProps } from './column-button'
import { columnNames, COLUMNS } from './columns'

interface Props extends ColumnChoiceProps {
  /** Whether it is there because of a press. */
  pressed: boolean
}

export function ColumnChoice({ columns, pressed, onChange }: Props) {
  const { t } = useTranslation(['common', 'posts'])
  const { button, opened, setOpened } = useOpenedByPress(pressed)
  return (
    <Popover position="bottom-end" trapFocus withRoles opened={opened} onChange={setOpened}>
      <Popover.Target>
        <ColumnButton ref={button} onClick={() => setOpened(!opened)} />
      </Popover.Target>
      <Popover.Dropdown>
        <CheckboxGroup label={t('posts:columns')} value={columns} onChange={onChange}>
          <div className="stack column-choice">
            {COLUMNS.map((column) => (
              <Checkbox key={column} value={column} label={t(columnNames[column])} />
            ))}
          </div>
        </CheckboxGroup>
      </Popover.Dropdown>
    </Popover>
  )
}
