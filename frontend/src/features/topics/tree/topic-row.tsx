import { memo, useRef, type CSSProperties, type ReactNode } from 'react'
import type { TopicOut } from '@/api/types.gen'
import { useRowDrag } from './row-drag'

/** The texts of all rows, translated once: scrolling a tree mounts rows by the hundred. */
export interface RowWords {
  disabled: string
  disabledAbove: string
  neverUsed: string
  actions: string
  timesUsed: (count: number) => string
  below: (count: number) => string
  suggested: (count: number) => string
  openLink: string
}

export interface TopicRowProps {
  id: string
  topicKey: string
  topic: TopicOut
  /** Whether the topic or one above is disabled. */
  isDisabled: boolean
  position: number
  siblings: number
  state: 'leaf' | 'open' | 'closed'
  /** The number of topics below. */
  below: number
  /** The number of suggested titles below that are hidden. */
  suggested: number
  usedWithin: number
  chosen: boolean
  top: number
  height: number
  /** The maximum level that is indented; deeper levels are named in text. */
  deepest: number
  words: RowWords
  /** The search text to mark in the title; empty for none. */
  searchText: string
  /** Rendered instead of the title. */
  input?: ReactNode
  /** Rendered instead of the button that opens the menu. */
  menu?: ReactNode
}

/** The row of a topic. It has no own handlers: the tree handles clicks by data attributes. */
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
      {topic.link && (
        <a
          className="tree-link"
          href={topic.link}
          target="_blank"
          rel="noreferrer"
          tabIndex={-1}
          aria-label={`${words.openLink}: ${topic.title}`}
        >
          ↗
        </a>
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

/** An arrow of one element, since the icon set's have more. */
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
