import { Button } from '@mantine/core'
import { useId, useMediaQuery } from '@mantine/hooks'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { visibleNodes, type TreeNode } from './tree-rows'

const ROW = 38 // px
const ROW_FOR_FINGERS = 44 // px
const MARGIN = 12 // rows drawn above and below what is in view
const DEEPEST = { wide: 12, narrow: 5 } // further levels are told in words

interface TopicTreeProps {
  label: string
  nodes: readonly TreeNode[]
  chosen: string | undefined
  onChoose: (topicId: string) => void
}

/** Only the rows in view are in the page, so that 10,000 topics scroll like ten. */
export function TopicTree({ label, nodes, chosen, onChoose }: TopicTreeProps) {
  const { t } = useTranslation()
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const row = useMediaQuery('(pointer: coarse)') ? ROW_FOR_FINGERS : ROW
  const deepest = useMediaQuery('(max-width: 48em)') ? DEEPEST.narrow : DEEPEST.wide
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const [view, setView] = useState({ top: 0, height: 800 })
  const rows = useMemo(() => visibleNodes(nodes, closed), [nodes, closed])
  const active = Math.max(
    0,
    rows.findIndex(({ topic }) => topic.id === chosen),
  )
  const first = Math.max(0, Math.floor(view.top / row) - MARGIN)
  const last = Math.min(rows.length, Math.ceil((view.top + view.height) / row) + MARGIN)
  // the active row is always there, since the tree points to it
  const drawn = [...new Set([...Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index), active])]

  useEffect(() => {
    const element = scroller.current
    if (!element) return
    const measure = () => setView({ top: element.scrollTop, height: element.clientHeight })
    const observer = new ResizeObserver(measure)
    observer.observe(element)
    return () => observer.disconnect()
  }, [])

  const choose = (index: number) => {
    const node = rows[index]
    const element = scroller.current
    if (!node || !element) return
    onChoose(node.topic.id)
    const top = index * row
    if (top < element.scrollTop) element.scrollTop = top
    if (top + row > element.scrollTop + element.clientHeight) element.scrollTop = top + row - element.clientHeight
  }
  const toggle = ({ topic, hasChildren }: TreeNode, close: boolean) => {
    if (!hasChildren) return
    const next = new Set(closed)
    if (close) next.add(topic.id)
    else next.delete(topic.id)
    setClosed(next)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const node = rows[active]
    if (!node || event.altKey || event.ctrlKey || event.metaKey) return
    const isClosed = closed.has(node.topic.id)
    const page = Math.max(1, Math.floor(view.height / row) - 1)
    const acts: Partial<Record<string, () => void>> = {
      ArrowDown: () => choose(Math.min(active + 1, rows.length - 1)),
      ArrowUp: () => choose(Math.max(active - 1, 0)),
      PageDown: () => choose(Math.min(active + page, rows.length - 1)),
      PageUp: () => choose(Math.max(active - page, 0)),
      Home: () => choose(0),
      End: () => choose(rows.length - 1),
      ArrowRight: () => (isClosed ? toggle(node, false) : node.hasChildren && choose(active + 1)),
      ArrowLeft: () =>
        node.hasChildren && !isClosed
          ? toggle(node, true)
          : choose(rows.findIndex(({ topic }) => topic.id === node.topic.parent_id)),
      Enter: () => toggle(node, !isClosed),
      ' ': () => toggle(node, !isClosed),
    }
    const act = acts[event.key]
    if (!act) return
    event.preventDefault()
    act()
  }

  return (
    <section className="panel tree">
      <div className="tree-bar">
        <span className="dim grow">{t('topics.keys')}</span>
        <Button size="compact-xs" variant="default" onClick={() => setClosed(new Set())}>
          {t('topics.expandAll')}
        </Button>
        <Button
          size="compact-xs"
          variant="default"
          onClick={() => {
            // the first level stays: a closed root would leave one row
            const branches = nodes.filter((node) => node.hasChildren && node.topic.depth > 0)
            setClosed(new Set(branches.map(({ topic }) => topic.id)))
          }}
        >
          {t('topics.collapseAll')}
        </Button>
      </div>
      <div
        ref={scroller}
        className="tree-scroll"
        role="tree"
        aria-label={label}
        tabIndex={0}
        aria-activedescendant={rows[active] && `${prefix}-${rows[active].topic.id}`}
        onKeyDown={onKeyDown}
        onScroll={(event) => setView({ top: event.currentTarget.scrollTop, height: event.currentTarget.clientHeight })}
      >
        <div className="tree-rows" role="presentation" style={{ height: rows.length * row }}>
          {drawn.map((index) => {
            const node = rows[index]
            if (!node) return null
            return (
              <Row
                key={node.topic.id}
                id={`${prefix}-${node.topic.id}`}
                node={node}
                closed={closed.has(node.topic.id)}
                chosen={index === active}
                top={index * row}
                height={row}
                deepest={deepest}
                onClick={() => onChoose(node.topic.id)}
                onToggle={() => toggle(node, !closed.has(node.topic.id))}
              />
            )
          })}
        </div>
      </div>
    </section>
  )
}

interface RowProps {
  id: string
  node: TreeNode
  closed: boolean
  chosen: boolean
  top: number
  height: number
  deepest: number
  onClick: () => void
  onToggle: () => void
}

function Row({ id, node, closed, chosen, top, height, deepest, onClick, onToggle }: RowProps) {
  const { t } = useTranslation()
  const { topic, hasChildren, usedWithin } = node
  const level = Math.min(topic.depth, deepest)
  const Arrow = closed ? IconChevronRight : IconChevronDown
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={topic.depth + 1}
      aria-posinset={node.position}
      aria-setsize={node.siblings}
      aria-expanded={hasChildren ? !closed : undefined}
      aria-selected={chosen}
      className="tree-row"
      data-on={chosen || undefined}
      data-off={!topic.enabled || undefined}
      style={{ top, height, '--d': level } as React.CSSProperties}
      onClick={onClick}
    >
      <span className="tree-pad" />
      <span
        className="tree-arrow"
        onClick={(event) => {
          event.stopPropagation()
          onClick()
          onToggle()
        }}
      >
        {hasChildren ? <Arrow size={15} aria-hidden /> : <i />}
      </span>
      {topic.depth > level && <span className="tag num">{t('topics.level', { depth: topic.depth })}</span>}
      <span className="grow clip">{topic.title}</span>
      <span className="dim num nowrap">
        {!topic.enabled
          ? t('topics.disabled')
          : usedWithin > 0
            ? t('topics.timesUsed', { count: usedWithin })
            : t('topics.neverUsed')}
      </span>
    </div>
  )
}
