import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import { IconHelp } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

interface TreeHelpProps {
  opened: boolean
  onChange: (opened: boolean) => void
}

/** All keys of the tree. */
export function TreeHelp({ opened, onChange }: TreeHelpProps) {
  const { t } = useTranslation(['common', 'topics'])
  const insert = t('topics:keyInsert')
  const ctrl = t('ctrl')
  const rows: (readonly [keys: string[], what: string])[] = [
    [['↑', '↓', t('topics:keyHome'), t('topics:keyEnd')], t('topics:help.move')],
    [['→', '←'], t('topics:help.open')],
    [['*'], t('topics:help.openAll')],
    [['A–Z'], t('topics:help.type')],
    [['Enter', 'F2'], t('topics:help.rename')],
    [[insert, `${ctrl} Enter`], t('topics:help.sibling')],
    [[t('topics:keyShiftInsert'), `${ctrl} ⇧ Enter`], t('topics:help.child')],
    [['Alt ↑', 'Alt ↓'], t('topics:help.step')],
    [['Alt →', 'Alt ←'], t('topics:help.inOut')],
    [[t('topics:keySpace')], t('topics:help.toggle')],
    [[t('topics:keyDelete')], t('topics:help.remove')],
    [[`${ctrl} Z`], t('topics:help.undo')],
    [[`${ctrl} ⇧ Z`, `${ctrl} Y`], t('topics:help.redo')],
    [['Enter', t('topics:keyDelete')], t('topics:help.offer')],
    [['⇧ F10'], t('topics:help.menu')],
  ]
  return (
    <Popover opened={opened} onChange={onChange} position="bottom-end" width={380} trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={t('topics:keys')} disabled={opened}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size={30}
            aria-label={t('topics:keys')}
            aria-expanded={opened}
            onClick={() => onChange(!opened)}
          >
            <IconHelp size={17} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('topics:keys')}>
        <dl className="tree-keys" tabIndex={0} data-autofocus>
          {rows.map(([keys, what]) => (
            <div key={what}>
              <dt>
                {keys.map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </dt>
              <dd>{what}</dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  )
}
