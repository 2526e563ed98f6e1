import { Menu } from '@mantine/core'
import {
  IconArrowDown,
  IconArrowLeft,
  IconArrowRight,
  IconArrowUp,
  IconCopy,
  IconCornerDownRight,
  IconFileImport,
  IconInfoCircle,
  IconListTree,
  IconPencil,
  IconPlus,
  IconSparkles,
  IconToggleLeft,
  IconTrash,
  type Icon,
} from '@tabler/icons-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicOut } from '@/api/types.gen'

/** The commands on a topic; each also has a keyboard shortcut. */
export type RowAct =
  | 'open'
  | 'rename'
  | 'sibling'
  | 'child'
  | 'toggle'
  | 'up'
  | 'down'
  | 'in'
  | 'out'
  | 'moveTo'
  | 'suggest'
  | 'import'
  | 'copy'
  | 'remove'

interface Entry {
  act: RowAct
  icon: Icon
  keys?: string
  /** Whether it is not offered for the root. */
  below?: boolean
}

const groups: Entry[][] = [
  [
    { act: 'open', icon: IconInfoCircle },
    { act: 'rename', icon: IconPencil, keys: 'F2' },
    { act: 'toggle', icon: IconToggleLeft, keys: 'topics:keySpace' },
  ],
  [
    { act: 'sibling', icon: IconPlus, keys: 'topics:keyInsert', below: true },
    { act: 'child', icon: IconCornerDownRight, keys: 'topics:keyShiftInsert' },
    { act: 'suggest', icon: IconSparkles },
    { act: 'import', icon: IconFileImport },
    { act: 'copy', icon: IconCopy },
  ],
  [
    { act: 'up', icon: IconArrowUp, keys: 'Alt ↑', below: true },
    { act: 'down', icon: IconArrowDown, keys: 'Alt ↓', below: true },
    { act: 'in', icon: IconArrowRight, keys: 'Alt →', below: true },
    { act: 'out', icon: IconArrowLeft, keys: 'Alt ←', below: true },
    { act: 'moveTo', icon: IconListTree, below: true },
  ],
  [{ act: 'remove', icon: IconTrash, keys: 'topics:keyDelete', below: true }],
]

interface RowMenuProps {
  topic: TopicOut
  onAct: (act: RowAct) => void
  onClose: () => void
}

/** The menu of a topic. Only the row with the open menu renders one, since a tree has many rows. */
export function RowMenu({ topic, onAct, onClose }: RowMenuProps) {
  const { t } = useTranslation(['common', 'topics'])
  const isRoot = topic.parent_id === null
  return (
    <Menu
      opened
      onClose={onClose}
      position="bottom-end"
      width={270}
      returnFocus={false}
      withInitialFocusPlaceholder={false}
      // not by a key: the one that opens it is still on its way up
      clickOutsideEvents={['mousedown', 'touchstart']}
    >
      <Menu.Target>
        <button
          type="button"
          className="tree-dots"
          data-part="menu"
          tabIndex={-1}
          aria-label={`${t('topics:actions')}: ${topic.title}`}
        />
      </Menu.Target>
      <Menu.Dropdown>
        {groups.map((entries, index) => {
          const shown = entries.filter((entry) => !(entry.below && isRoot))
          return (
            <Fragment key={index}>
              {index > 0 && shown.length > 0 && <Menu.Divider />}
              {shown.map(({ act, icon: EntryIcon, keys }) => (
                <Menu.Item
                  key={act}
                  className={act === 'remove' ? 'tree-danger' : undefined}
                  leftSection={<EntryIcon size={16} aria-hidden />}
                  rightSection={
                    keys && <kbd className="tree-kbd">{keys.startsWith('topics:') ? t(keys as 'topics:keySpace') : keys}</kbd>
                  }
                  onClick={() => onAct(act)}
                >
                  {act === 'toggle'
                    ? t(topic.enabled ? 'topics:act.disable' : 'topics:act.enable')
                    : t(`topics:act.${act}`)}
                </Menu.Item>
              ))}
            </Fragment>
          )
        })}
      </Menu.Dropdown>
    </Menu>
  )
}
