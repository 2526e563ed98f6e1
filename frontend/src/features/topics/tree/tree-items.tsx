import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '@/components/lazy-part'
import { DraftRow } from './draft-row'
import { OfferRow } from './offer-row'
import { TitleInput } from './title-input'
import { TopicRow, type RowWords } from './topic-row'
import type { TreeMutations } from './use-tree-mutations'
import { titlesWithin, type TreeView } from './use-tree-view'
import type { TreeWindow } from './use-tree-window'

const RowMenu = lazyPart(
  async () => (await import('./row-menu')).RowMenu,
  <button type="button" className="tree-dots" data-part="menu" tabIndex={-1} aria-hidden />,
)

const DEEPEST = { wide: 12, narrow: 5 } // further levels are told by a number

interface TreeItemsProps {
  view: TreeView
  rows: TreeWindow
  mutations: TreeMutations
  /** The tree points to its active row: each row's id is made of this and its own. */
  prefix: string
}

interface Place {
  top: number
  height: number
  deepest: number
}

/** The rows that are in the page: topics, what is suggested among them, and a new one without a title yet. */
export function TreeItems({ view, rows, mutations, prefix }: TreeItemsProps) {
  const { t } = useTranslation(['common', 'topics'])
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const deepest = narrow ? DEEPEST.narrow : DEEPEST.wide
  const words = useMemo<RowWords>(
    () => ({
      disabled: t('topics:disabled'),
      disabledAbove: t('topics:disabledAbove'),
      neverUsed: t('topics:neverUsed'),
      actions: t('topics:actions'),
      timesUsed: (times) => t('topics:timesUsed', { count: times }),
      below: (topics) => t('topics:below', { count: topics }),
      suggested: (titles) => t('topics:suggest.below', { count: titles }),
    }),
    [t],
  )
  return rows.inPage.map(({ index, start }) => {
    const place = { top: start, height: rows.rowHeight, deepest }
    const guest = view.guestAt(index)
    if (guest?.kind === 'draft')
      return (
        <DraftRow
          key="draft"
          draft={guest}
          {...place}
          onDone={mutations.finishDraft}
          onTakenAway={(title) => mutations.addAt(guest.place, title)}
          onCancel={mutations.cancelDraft}
        />
      )
    if (guest) {
      const set = view.guests.filter((one) => one.kind !== 'draft' && one.round.id === guest.round.id)
      return (
        <OfferRow
          key={guest.id}
          id={`${prefix}-${guest.id}`}
          guest={guest}
          position={set.indexOf(guest) + 1}
          siblings={set.length}
          active={guest === view.offer}
          narrow={narrow}
          {...place}
        />
      )
    }
    return topicItem(view.drawn[index] ?? -1, place)
  })

  function topicItem(at: number, place: Place) {
    const { shape } = view
    const topic = shape.topics[at]
    if (!topic) return null
    const key = view.editor.keyOf(topic.id)
    const isClosed = view.hits === undefined && view.isClosed(key)
    return (
      <TopicRow
        key={key}
        id={`${prefix}-${key}`}
        topicKey={key}
        topic={topic}
        off={shape.off[at] === 1}
        position={shape.position[at] ?? 1}
        siblings={shape.siblings[at] ?? 1}
        state={!view.isBranch(at) ? 'leaf' : isClosed ? 'closed' : 'open'}
        below={(shape.end[at] ?? 0) - at - 1}
        suggested={isClosed ? titlesWithin(view, at) : 0}
        usedWithin={shape.usedWithin[at] ?? 0}
        chosen={!view.offer && topic === view.activeTopic}
        words={words}
        found={view.hits ? view.found : ''}
        {...place}
        input={
          mutations.renaming === key ? (
            <TitleInput
              title={topic.title}
              onDone={(title, then) => mutations.finishRename(key, title, then)}
              onTakenAway={(title) => mutations.rename(key, title)}
              onCancel={mutations.cancelRename}
            />
          ) : undefined
        }
        menu={
          mutations.menu === key ? (
            <RowMenu
              topic={topic}
              onAct={(what) => {
                closeMenu()
                mutations.act(what, key)
              }}
              onClose={closeMenu}
            />
          ) : undefined
        }
      />
    )
  }

  function closeMenu() {
    mutations.setMenu(undefined)
    mutations.focus()
  }
}
