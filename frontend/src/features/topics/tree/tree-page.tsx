import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import {
  lazy,
  Suspense,
  useCallback,
  useDeferredValue,
  useEffect,
  useEffectEvent,
  useMemo,
  useRef,
  useState,
  type RefObject,
} from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicOut, TopicTreeDetail } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader, type Crumb } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { readLines, topicTreeQuery, useTopics, useTreeEditor } from '@/features/topics/api'
import { useSuggestions } from '@/features/topics/suggestions/use-suggestions'
import '@/features/topics/topics.css'
import { paths } from '@/lib/paths'
import { isMissing, isProblem, problemText, toProblem } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { copyText, saveAs } from './save-as'
import { TopicFacts } from './topic-facts'
import { TopicTree, type TopicTreeHandle } from './topic-tree'
import { placeInside } from './tree-edits'
import type { TreeEditor } from './tree-editor'
import { TreeHeader } from './tree-header'
import { enabledCount, indexOfKey, treeShape, type TreeShape } from './tree-rows'
import { useChosenTopic } from './use-chosen-topic'
import { useTreeActions, type Change, type TreeActions } from './use-tree-actions'
import type { OutsideAct } from './use-tree-mutations'

const TopicDrawer = lazy(async () => ({ default: (await import('@/features/topics/detail/topic-drawer')).TopicDrawer }))
const ImportDialog = lazyPart(async () => (await import('@/features/topics/import/import-dialog')).ImportDialog)
const TreeDialog = lazyPart(async () => (await import('@/features/topics/tree-dialog')).TreeDialog)
const MissingTree = lazyPart(async () => (await import('./missing-tree')).MissingTree)
const FeedsPanel = lazyPart(async () => (await import('@/features/topics/feeds/feeds-panel')).FeedsPanel)
const MoveDialog = lazyPart(async () => (await import('./move-dialog')).MoveDialog)

/** The id of the panel. */
const FEEDS = 'feeds'

interface TopicTreePageProps {
  treeId: string
  /** The pages above this one; without them, the list of all trees. */
  crumbs?: Crumb[]
  onDeleted: () => void
}

export function TopicTreePage({ treeId, crumbs: above, onDeleted }: TopicTreePageProps) {
  const { t } = useTranslation(['common', 'topics'])
  const crumbs = above ?? [{ label: t('topics:title'), to: paths.topics }]
  const tree = useQuery(topicTreeQuery(treeId))
  if (isMissing(tree.error)) return <MissingTree tree={tree.data} crumbs={crumbs} />
  if (tree.data) return <LoadedTree key={treeId} tree={tree.data} crumbs={crumbs} onDeleted={onDeleted} />
  return (
    <>
      <PageHeader crumbs={crumbs} title={t('topics:topics')} />
      {tree.isError ? (
        <Failure title={t('topics:readFailed')} problem={tree.error} onRetry={() => void tree.refetch()} />
      ) : (
        <RowSkeletons rows={8} />
      )}
    </>
  )
}

/** The page of a loaded tree. The chosen topic is state of its body, so choosing another one does not draw the head again. */
function LoadedTree({ tree, crumbs, onDeleted }: { tree: TopicTreeDetail; crumbs: Crumb[]; onDeleted: () => void }) {
  const { change } = useUrlFilters()
  const handle = useRef<TopicTreeHandle>(null)
  const editor = useTreeEditor(tree.id)
  const [editing, edit] = useDisclosure()
  const topics = useTopics(editor)
  const shape = useMemo(() => treeShape(topics), [topics])

  const { copy, download } = useTreeExport(tree, editor)
  return (
    <div className="page-wide">
      <TreeHeader
        tree={tree}
        crumbs={crumbs}
        count={topics.length}
        enabled={enabledCount(shape)}
        onAdd={() => handle.current?.add('sibling')}
        onImport={() => change({ import: 'branch' })}
        onFeeds={showFeeds}
        onDownload={() => void download()}
        onCopy={() => void copy()}
        onEdit={edit.open}
        onDeleted={onDeleted}
      />
      <TreeBody tree={tree} shape={shape} editor={editor} handle={handle} onCopy={(topicId) => void copy(topicId)} />
      <TreeDialog tree={tree} opened={editing} onClose={edit.close} />
    </div>
  )
}

/** Go to the panel of the feeds, which stands below the tree. */
function showFeeds() {
  const panel = document.getElementById(FEEDS)
  panel?.scrollIntoView({ block: 'nearest' })
  panel?.focus({ preventScroll: true })
}

/** Return what copies or downloads the lines of the tree, or copies those of one branch. */
function useTreeExport(tree: TopicTreeDetail, editor: TreeEditor) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const lines = (topicId?: string) => readLines(editor, tree.id, topicId)
  const failed = (error: unknown) =>
    notifications.show({
      color: 'red',
      title: t('topics:exportFailed'),
      message: problemText(t, isProblem(error) ? error : toProblem(error)),
    })
  const copy = (topicId?: string) =>
    copyText(lines(topicId)).then(
      (done) => notifications.show({ message: t(done ? 'topics:copied' : 'topics:copyClosed') }),
      failed,
    )
  const download = () => lines().then((text) => saveAs(`${tree.name}.txt`, text), failed)
  return { copy, download }
}

interface TreeBodyProps {
  tree: TopicTreeDetail
  shape: TreeShape
  editor: TreeEditor
  handle: RefObject<TopicTreeHandle | null>
  onCopy: (topicId: string) => void
}

/** The tree with the facts of the chosen topic and its dialogs. */
function TreeBody({ tree, shape, editor, handle, onCopy }: TreeBodyProps) {
  const { t } = useTranslation(['common', 'topics'])
  const { filter, change } = useUrlFilters()
  const suggestions = useSuggestions(tree.id, editor)
  const isWide = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const showUndone = useCallback((undone: Change | undefined) => handle.current?.showUndone(undone), [handle])
  const actions = useTreeActions(editor, showUndone)
  const [chosen, choose] = useChosenTopic(editor)
  const [facts, { open: openFacts, close: closeFacts }] = useDisclosure(filter('topic') !== '')
  const [moving, setMoving] = useState<string>()
  const suggestForm = useFocusOnRequest()

  const topic = shape.topics[Math.max(0, indexOfKey(shape, editor.idOf, chosen))]
  const key = editor.keyOf(topic?.id ?? '')
  const factsKey = useFactsKey(key, shape, editor)
  const { addChild, remove, openTopic } = useTreeCommands(handle, closeFacts)
  const act = (what: OutsideAct, on: string) => {
    switch (what) {
      case 'open':
        return openFacts()
      case 'moveTo':
        return setMoving(on)
      case 'suggest':
        openFacts()
        return suggestForm.requestFocus()
      case 'import':
        return change({ topic: editor.idOf(on), import: 'branch' })
      case 'copy':
        return onCopy(on)
    }
  }
  const chosenFacts = factsKey !== null && (
    <TopicFacts
      treeId={tree.id}
      topicKey={factsKey}
      shape={shape}
      editor={editor}
      actions={actions}
      onAddChild={addChild}
      onDelete={remove}
      suggestForm={suggestForm.ref}
      suggestions={suggestions}
      onRequested={openTopic}
      inPanels={isWide}
    />
  )
  return (
    <>
      <div className="cols tree-cols">
        <TopicTree
          ref={handle}
          treeId={tree.id}
          label={t('topics:tree', { name: tree.name })}
          shape={shape}
          editor={editor}
          actions={actions}
          suggestions={suggestions}
          chosen={key}
          onChoose={choose}
          search={filter('search')}
          onSearch={(text) => change({ search: text })}
          onAct={act}
          touchOpens={!isWide}
        />
        {isWide && chosenFacts}
        <FeedsPanel id={FEEDS} treeId={tree.id} topics={shape.topics} chosen={topic} />
      </div>
      {!isWide && (
        <Suspense>
          <TopicDrawer
            opened={facts}
            onClose={() => {
              closeFacts()
              handle.current?.focus()
            }}
            onOpened={suggestForm.focusIfRequested}
          >
            {chosenFacts}
          </TopicDrawer>
        </Suspense>
      )}
      <TopicMove
        topicKey={moving}
        shape={shape}
        editor={editor}
        actions={actions}
        onClose={() => {
          setMoving(undefined)
          handle.current?.focus()
        }}
      />
      <BranchImport treeId={tree.id} topic={topic} />
    </>
  )
}

/** Return the key of the topic whose facts are shown; null at first. */
function useFactsKey(chosenKey: string, shape: TreeShape, { idOf }: TreeEditor): string | null {
  // arrow keys pass many topics: the tree is drawn at once, and the facts of the last topic follow
  const deferredKey = useDeferredValue<string | null>(chosenKey, null)
  const isDeleted = deferredKey !== null && indexOfKey(shape, idOf, deferredKey) < 0
  return isDeleted ? chosenKey : deferredKey
}

/** Return the commands that the facts of a topic send to the tree. */
function useTreeCommands(handle: RefObject<TopicTreeHandle | null>, closeFacts: () => void) {
  const addChild = useCallback(() => {
    closeFacts()
    handle.current?.add('child')
  }, [handle, closeFacts])
  const remove = useCallback(() => {
    closeFacts()
    handle.current?.remove()
    handle.current?.focus()
  }, [handle, closeFacts])
  const openTopic = useCallback((topicKey: string) => handle.current?.open(topicKey), [handle])
  return { addChild, remove, openTopic }
}

interface TopicMoveProps {
  /** Key of the topic to move; undefined while the dialog is closed. */
  topicKey: string | undefined
  shape: TreeShape
  editor: TreeEditor
  actions: TreeActions
  onClose: () => void
}

/** The dialog that moves a topic under another one. */
function TopicMove({ topicKey, shape, editor, actions, onClose }: TopicMoveProps) {
  const topic = topicKey === undefined ? undefined : shape.topics[indexOfKey(shape, editor.idOf, topicKey)]
  return (
    <MoveDialog
      opened={topic !== undefined}
      shape={shape}
      topic={topic}
      onClose={onClose}
      onMove={(targetId) => {
        const place = placeInside(editor.topics, targetId)
        if (topic && place) actions.moveTo(topic.id, place)
        onClose()
      }}
    />
  )
}

/** The dialog that imports topics under the chosen one. The address says whether it is open. */
function BranchImport({ treeId, topic }: { treeId: string; topic: TopicOut | undefined }) {
  const { filter, change } = useUrlFilters()
  const close = () => change({ import: null })
  return (
    <ImportDialog
      opened={filter('import') !== ''}
      under={topic && { treeId, topicId: topic.id, title: topic.title }}
      onClose={close}
      onImported={close}
    />
  )
}

/** Focus the submit button in an element on request, as soon as the element is loaded and shown. */
function useFocusOnRequest() {
  const ref = useRef<HTMLDivElement>(null)
  const [requested, setRequested] = useState(false)
  const focusIfRequested = () => {
    const button = ref.current?.querySelector<HTMLElement>('[type=submit]')
    if (!requested || !button) return
    setRequested(false)
    button.scrollIntoView({ block: 'nearest' })
    button.focus()
  }
  const onRequest = useEffectEvent(focusIfRequested)
  useEffect(() => {
    if (requested) requestAnimationFrame(onRequest)
  }, [requested])
  return { ref, requestFocus: () => setRequested(true), focusIfRequested }
}
