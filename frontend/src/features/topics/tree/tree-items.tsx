import { useMediaQuery } from '@mantine/hooks'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '@/components/lazy-part'
import { DraftRow } from './draft-row'
import { OfferRow } from './offer-row'
import { TitleInput } from './title-input'
import { TopicRow, type RowWords, type TopicRowProps } from './topic-row'
import type { TreeMutations } from './use-tree-mutations'
import { titlesWithin, type TreeView } from './use-tree-view'
import type { TreeWindow } from './use-tree-window'

const RowMenu = lazyPart(
  async () => (await import('./row-menu')).RowMenu,
  <button type="button" className="tree-dots" data-part="menu" tabIndex={-1} aria-hidden />,
)

const DEEPEST = { wide: 12, narrow: 5 } // deeper levels show a number instead of an indent

interface TreeItemsProps {
  view: TreeView
  rows: TreeWindow
  mutations: TreeMutations
  /** Key of the topic whose menu is open. */
  menu: string | undefined
  onCloseMenu: () => void
  /** Prefix of the ids of the rows, by which the tree names its active row. */
  prefix: string
}

/** The rows that are in the page: topics, suggestions among them, and a new topic without a title. */
export function TreeItems({ view, rows, mutations, menu, onCloseMenu, prefix }: TreeItemsProps) {
  const narrow = useMediaQuery('(max-width: 48em)') ?? false
  const deepest = narrow ? DEEPEST.narrow : DEEPEST.wide
  const words = useRowWords()
  const { titles } = mutations
  return rows.inPage.map(({ index, start }) => {
    const place = { top: start, height: rows.rowHeight, deepest }
    const guest = view.guestAt(index)
    if (guest?.kind === 'draft')
      return <DraftRow key="draft" draft={guest} {...place} {...titles.draftHandlers(guest.place)} />
    if (guest) {
      const set = view.guests.filter((candidate) => candidate.kind !== 'draft' && candidate.round.id === guest.round.id)
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
    const at = view.drawn[index] ?? -1
    const topic = view.shape.topics[at]
    if (!topic) return null
    const key = view.editor.keyOf(topic.id)
    return (
      <TopicRow
        key={key}
        id={`${prefix}-${key}`}
        topicKey={key}
        topic={topic}
        {...rowFacts(view, at, key)}
        words={words}
        {...place}
        input={titles.renaming === key ? <TitleInput title={topic.title} {...titles.renameHandlers(key)} /> : undefined}
        menu={
          menu === key ? (
            <RowMenu
              topic={topic}
              onAct={(what) => {
                onCloseMenu()
                mutations.act(what, key)
              }}
              onClose={onCloseMenu}
            />
          ) : undefined
        }
      />
    )
  })
}

/** Return what the row of the topic at `at` shows beside its title. */
function rowFacts(view: TreeView, at: number, key: string) {
  const { shape } = view
  const isClosed = view.hits === undefined && view.isClosed(key)
  const state: TopicRowProps['state'] = !view.isBranch(at) ? 'leaf' : isClosed ? 'closed' : 'open'
  return {
    state,
    isDisabled: shape.disabled[at] === 1,
    position: shape.position[at] ?? 1,
    siblings: shape.siblings[at] ?? 1,
    below: (shape.end[at] ?? 0) - at - 1,
    suggested: isClosed ? titlesWithin(view, at) : 0,
    usedWithin: shape.usedWithin[at] ?? 0,
    chosen: !view.offer && shape.topics[at] === view.activeTopic,
    searchText: view.hits ? view.searchText : '',
  }
}

function useRowWords(): RowWords {
  const { t } = useTranslation(['common', 'topics'])
  return useMemo(
    () => ({
      disabled: t('topics:disabled'),
      disabledAbove: t('topics:disabledAbove'),
      neverUsed: t('topics:neverUsed'),
      actions: t('topics:actions'),
      timesUsed: (times) => t('topics:timesUsed', { count: times }),
      below: (topics) => t('topics:below', { count: topics }),
      suggested: (titles) => t('topics:suggest.below', { count: titles }),
      openLink: t('topics:openLink'),
    }),
    [t],
  )
}
