import { useId } from '@mantine/hooks'
import { useImperativeHandle, useRef, useState, type MouseEvent, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { DragScopeContext } from './row-drag'
import { TreeBar } from './tree-bar'
import type { TreeEditor } from './tree-editor'
import { TreeItems } from './tree-items'
import type { TreeShape } from './tree-rows'
import type { Suggestions } from '@/features/topics/suggestions/use-suggestions'
import type { Change, TreeActions } from './use-tree-actions'
import { useTreeMutations, type OutsideAct, type TreeMutations } from './use-tree-mutations'
import { useTreeDrag } from './use-tree-drag'
import { useTreeKeyboard } from './use-tree-keyboard'
import { useTreeView, type TreeView } from './use-tree-view'
import { useTreeWindow } from './use-tree-window'

export interface TopicTreeHandle {
  /** Show the row of a new topic, after the chosen one or inside it. */
  add: (where: 'sibling' | 'child') => void
  remove: () => void
  /** Open a closed topic. */
  open: (key: string) => void
  focus: () => void
  /** Go to the topic of an undone change, and announce the change. */
  showUndone: (change: Change | undefined) => void
}

interface TopicTreeProps {
  treeId: string
  label: string
  shape: TreeShape
  editor: TreeEditor
  actions: TreeActions
  suggestions: Suggestions
  /** Key of the chosen topic. */
  chosen: string
  onChoose: (key: string) => void
  search: string
  onSearch: (text: string) => void
  onAct: (act: OutsideAct, key: string) => void
  /** A tap on a row opens its facts, which are not beside the tree. */
  touchOpens: boolean
  ref: Ref<TopicTreeHandle>
}

/** Only the rows in view are in the page, so that 10,000 topics scroll like ten. */
export function TopicTree(props: TopicTreeProps) {
  const { treeId, label, shape, editor, actions, suggestions, chosen, onChoose, search, onSearch, onAct, touchOpens, ref } =
    props
  const { t } = useTranslation(['common', 'topics'])
  const prefix = useId()
  const scroller = useRef<HTMLDivElement>(null)
  const [help, setHelp] = useState(false)
  /** Key of the topic whose menu is open. */
  const [menu, setMenu] = useState<string>()
  const focus = () => scroller.current?.focus({ preventScroll: true })

  const view = useTreeView({ shape, editor, suggested: suggestions.rounds, chosen, onChoose, search })
  const rows = useTreeWindow(view, chosen, scroller)
  const mutations = useTreeMutations({
    view,
    actions,
    suggestions: suggestions.actions,
    clearSearch: () => onSearch(''),
    onAct,
    focus,
  })
  const toggleMenu = (key: string) => setMenu((before) => (before === key ? undefined : key))
  const onOpen = touchOpens ? (key: string) => onAct('open', key) : undefined
  const clicks = useTreeClicks({ view, mutations, focus, onMenu: toggleMenu, onOpen })
  const onKeyDown = useTreeKeyboard({ view, rows, mutations, scroller, onMenu: setMenu, onHelp: () => setHelp(true) })
  const scope = useTreeDrag({ treeId, editor, actions, scroller, setOpen: view.setOpen, onChoose, announce: mutations.announce })

  useImperativeHandle(ref, () => ({
    add: (where) => mutations.titles.startDraft(where),
    remove: () => mutations.remove(chosen),
    open: (key) => view.setOpen([key], true),
    focus,
    showUndone: mutations.showTurn,
  }))

  const activeId = view.offer?.id ?? (view.activeTopic && editor.keyOf(view.activeTopic.id))
  return (
    <section className="panel tree">
      <TreeBar
        search={search}
        onSearch={onSearch}
        matches={view.hits?.matches}
        total={shape.topics.length}
        onExpandAll={view.expandAll}
        onCollapseAll={view.collapseAll}
        editor={editor}
        help={help}
        onHelp={setHelp}
      />
      <div className="vh" role="status">
        {mutations.announcement}
      </div>
      {view.rows.length === 0 && <p className="tree-none dim">{t('topics:noTopicFound', { search: view.searchText })}</p>}
      <DragScopeContext value={scope}>
        <div
          ref={scroller}
          className="tree-scroll"
          role="tree"
          aria-label={label}
          tabIndex={0}
          aria-activedescendant={activeId && `${prefix}-${activeId}`}
          onKeyDown={onKeyDown}
          {...clicks}
        >
          <div className="tree-rows" role="presentation" style={{ height: rows.totalHeight }}>
            <TreeItems
              view={view}
              rows={rows}
              mutations={mutations}
              menu={menu}
              onCloseMenu={() => {
                setMenu(undefined)
                focus()
              }}
              prefix={prefix}
            />
          </div>
        </div>
      </DragScopeContext>
    </section>
  )
}

interface ClickOptions {
  view: TreeView
  mutations: TreeMutations
  focus: () => void
  onMenu: (key: string) => void
  /** Opens the facts of a topic, if a click on its title does that. */
  onOpen: ((key: string) => void) | undefined
}

/** Return the tree's handlers of clicks. Rows have no handlers of their own. */
function useTreeClicks({ view, mutations, focus, onMenu, onOpen }: ClickOptions) {
  return {
    onClick: (event: MouseEvent) => {
      const { key, part, offer } = targetOf(event)
      const guest = view.guests.find(({ id }) => id === offer)
      if (guest && guest.kind !== 'draft') {
        if (part === 'keep' || part === 'discard') {
          mutations.decide(guest, part === 'keep')
          focus()
        } else view.chooseOffer(guest)
        return
      }
      if (key === undefined) return
      view.choose(key)
      if (part === 'menu') return onMenu(key)
      if (part === 'arrow' && view.isBranch(view.indexOf(key)) && !view.hits) return view.setOpen([key], view.isClosed(key))
      if (part === 'title') onOpen?.(key)
    },
    onDoubleClick: (event: MouseEvent) => {
      const { key, part } = targetOf(event)
      if (key !== undefined && part === 'title' && !onOpen) mutations.titles.startRename(key)
    },
  }
}

/** Return what was clicked in the tree. */
function targetOf({ target }: MouseEvent) {
  const above = (name: string) => (target as HTMLElement).closest<HTMLElement>(`[data-${name}]`)?.dataset[name]
  return { key: above('key'), part: above('part'), offer: above('offer') }
}
