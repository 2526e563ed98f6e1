import { Button, Modal, TextInput } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useDeferredValue, useEffect, useMemo, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicOut } from '@/api/types.gen'
import { lowerTitles, pathText, pathTo, type TreeShape } from './tree-rows'

const ROW = 48 // px, as in the styles

interface MoveDialogProps {
  opened: boolean
  shape: TreeShape
  /** The moved topic; undefined while the dialog is closed. */
  topic: TopicOut | undefined
  onMove: (targetId: string) => void
  onClose: () => void
}

/** The dialog that chooses the new parent of a topic. */
export function MoveDialog({ opened, shape, topic, onMove, onClose }: MoveDialogProps) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="lg"
      title={<span className="clip-2">{t('topics:moveTitle', { title: topic?.title ?? '' })}</span>}
    >
      {topic && <Targets shape={shape} topic={topic} onMove={onMove} onCancel={onClose} />}
    </Modal>
  )
}

interface TargetsProps {
  shape: TreeShape
  topic: TopicOut
  onMove: (targetId: string) => void
  onCancel: () => void
}

/** Search for a topic and choose one of those found. */
function Targets({ shape, topic, onMove, onCancel }: TargetsProps) {
  const { t } = useTranslation(['common', 'topics'])
  const id = useId()
  const [search, setSearch] = useState('')
  const [active, setActive] = useState(0)
  const targets = useTargets(shape, topic, search)
  const chosen = Math.min(active, targets.length - 1)

  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }
    const step = steps[event.key]
    if (!step) return
    event.preventDefault()
    setActive(Math.max(0, Math.min(targets.length - 1, chosen + step)))
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        const target = shape.topics[targets[chosen] ?? -1]
        if (target) onMove(target.id)
      }}
    >
      <TextInput
        data-autofocus
        type="search"
        role="combobox"
        aria-expanded
        aria-controls={`${id}-list`}
        aria-activedescendant={targets[chosen] === undefined ? undefined : `${id}-${targets[chosen]}`}
        aria-autocomplete="list"
        label={t('topics:moveUnder')}
        leftSection={<IconSearch size={15} aria-hidden />}
        value={search}
        onChange={(event) => {
          setSearch(event.currentTarget.value)
          setActive(0)
        }}
        onKeyDown={onKeyDown}
      />
      <TargetList id={id} shape={shape} targets={targets} chosen={chosen} onChoose={setActive} onMove={onMove}>
        {targets.length === 0 && <p className="tree-none dim">{t('topics:noTopicFound', { search })}</p>}
      </TargetList>
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={targets.length === 0}>
          {t('topics:moveHere')}
        </Button>
      </div>
    </form>
  )
}

/** Return the indices of the topics with `search` in their title, without the moved branch itself. */
function useTargets(shape: TreeShape, moved: TopicOut, search: string): readonly number[] {
  const query = useDeferredValue(search.trim().toLocaleLowerCase())
  return useMemo(() => {
    const ownIndex = shape.indexOf.get(moved.id) ?? -1
    const end = shape.end[ownIndex] ?? ownIndex
    const indices: number[] = []
    lowerTitles(shape.topics).forEach((title, at) => (at < ownIndex || at >= end) && title.includes(query) && indices.push(at))
    return indices
  }, [shape, query, moved.id])
}

interface TargetListProps {
  /** Prefix of the ids of the list and its options. */
  id: string
  shape: TreeShape
  targets: readonly number[]
  /** The index of the chosen target. */
  chosen: number
  onChoose: (position: number) => void
  onMove: (targetId: string) => void
  children: ReactNode
}

function TargetList({ id, shape, targets, chosen, onChoose, onMove, children }: TargetListProps) {
  const { t } = useTranslation(['common', 'topics'])
  const scroller = useRef<HTMLDivElement>(null)
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing that it returns is memoised
  const virtual = useVirtualizer({
    count: targets.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 6,
  })
  useEffect(() => {
    if (chosen >= 0) virtual.scrollToIndex(chosen, { align: 'auto' })
  }, [chosen, virtual])
  return (
    <div ref={scroller} className="move-list" id={`${id}-list`} role="listbox" aria-label={t('topics:moveUnder')} tabIndex={-1}>
      <div className="tree-rows" role="presentation" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const at = targets[index] ?? -1
          const target = shape.topics[at]
          if (!target) return null
          return (
            <div
              key={target.id}
              id={`${id}-${at}`}
              role="option"
              aria-selected={index === chosen}
              aria-setsize={targets.length}
              aria-posinset={index + 1}
              className="move-target"
              style={{ top: start }}
              onClick={() => onChoose(index)}
              onDoubleClick={() => onMove(target.id)}
            >
              <span className="clip">{target.title}</span>
              <small className="clip">
                {target.parent_id === null ? t('topics:root') : pathText(pathTo(shape, at).slice(0, -1))}
              </small>
            </div>
          )
        })}
      </div>
      {children}
    </div>
  )
}
