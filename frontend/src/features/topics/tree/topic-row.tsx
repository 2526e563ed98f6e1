import { memo, useRef, type CSSProperties, type ReactNode } from 'react'
import type { TopicOut } from '@/api/types.gen'
import { useRowDrag } from './row-drag'

/** The words of all rows, said once: while a tree scrolls, rows come and go by the hundred. */
export interface RowWords {
  disabled: string
  disabledAbove: string
  neverUsed: string
  actions: string
  timesUsed: (count: number) => string
  below: (count: number) => string
  suggested: (count: number) => string
}

export interface TopicRowProps {
  id: string
  topicKey: string
  topic: TopicOut
  /** It or a topic above is disabled. */
  isDisabled: boolean
  position: number
  siblings: number
  state: 'leaf' | 'open' | 'closed'
  /** Topics under it. */
  below: number
  /** Titles that are suggested under it, while it hides them. */
  suggested: number
  usedWithin: number
  chosen: boolean
  top: number
  height: number
  /** Levels that are drawn as indents; a deeper one is told in words. */
  deepest: number
  words: RowWords
  /** What was searched for, to be marked in the title; empty: nothing. */
  searchText: string
  /** In place of the title. */
  input?: ReactNode
  /** In place of the button that opens it. */
  menu?: ReactNode
}

/** One topic. It has no handlers of its own: the tree finds out by the data attributes what was clicked. */
export const TopicRow = memo(function TopicRow(props: TopicRowProps) {
  const { id, topicKey, topic, isDisabled, position, siblings, state, below, suggested, usedWithin, chosen, top, height, deepest, words } =
    props
  const row = useRef<HTMLDivElement>(null)
  const mark = useRowDrag({
    row,
    topicKey,
    title: topic.title,
    isRoot: topic.parent_id === null,
    isOpen: state === 'open',
    isClosed: state === 'closed',
    fixed: props.input !== undefined,
  })
  const level = Math.min(topic.depth, deepest)
  const use = usedWithin > 0 ? words.timesUsed(usedWithin) : words.neverUsed
  const hidden = state === 'closed' && below > 0
  const offers = suggested > 0 && words.suggested(suggested)
  const facts = !topic.enabled ? words.disabled : isDisabled ? words.disabledAbove : use
  return (
    <div
      ref={row}
      id={id}
      role="treeitem"
      aria-label={[topic.title, hidden && words.below(below), offers, facts].filter(Boolean).join(', ')}
      aria-level={topic.depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-expanded={state === 'leaf' ? undefined : state === 'open'}
      aria-selected={chosen}
      className="tree-row"
      data-key={topicKey}
      data-on={chosen || undefined}
      data-off={isDisabled || undefined}
      data-struck={!topic.enabled || undefined}
      data-drop={mark}
      style={{ top, height, '--d': level } as CSSProperties}
    >
      <span className="tree-grip" data-fixed={topic.parent_id === null || undefined} aria-hidden />
      <span className="tree-pad" aria-hidden />
      <span className="tree-arrow" data-part="arrow" aria-hidden>
        {state === 'leaf' ? <i /> : <Arrow open={state === 'open'} />}
      </span>
      {topic.depth > level && (
        <span className="tree-level num" aria-hidden>
          {topic.depth + 1}
        </span>
      )}
      {props.input ?? (
        <span className="grow clip" data-part="title">
          <Marked text={topic.title} searchText={props.searchText} />
        </span>
      )}
      {/* spaces, for those who read the row's text in one go */ ' '}
      {hidden && <span className="tag num">{words.below(below)}</span>}{' '}
      {offers && <span className="tree-suggested num nowrap">{offers}</span>}{' '}
      <span className="tree-used dim num nowrap">{facts}</span>
      {props.menu ?? (
        <button
          type="button"
          className="tree-dots"
          data-part="menu"
          tabIndex={-1}
          aria-label={`${words.actions}: ${topic.title}`}
        />
      )}
    </div>
  )
})

/** One element with one line, where an icon of the set has more. */
const Arrow = ({ open }: { open: boolean }) => (
  <svg width="15" height="15" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.7">
    <path d={open ? 'm6 9 6 6 6-6' : 'm9 6 6 6-6 6'} strokeLinecap="round" strokeLinejoin="round" />
  </svg>
)

function Marked({ text, searchText }: { text: string; searchText: string }) {
  const at = searchText ? text.toLocaleLowerCase().indexOf(searchText.toLocaleLowerCase()) : -1
  if (at < 0) return text
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + searchText.length)}</mark>
      {text.slice(at + searchText.length)}
    </>
  )
}
