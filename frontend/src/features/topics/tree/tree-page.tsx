import { ActionIcon, Button, Menu } from '@mantine/core'
import { useDisclosure, useMediaQuery } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconCopy, IconDots, IconDownload, IconFileImport, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import {
  lazy,
  memo,
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
import { Link } from 'react-router'
import type { TopicTreeDetail } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { CopyButton, markAndCopy } from '@/components/copy-button'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { PageHeader, type Crumb } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import { paths } from '@/lib/paths'
import { isMissing, isProblem, problemText, toProblem } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { readLines, topicTreeQuery, useDeleteTree, useTopics, useTreeEditor } from '@/features/topics/api'
import type { RowAct } from './row-menu'
import { copyText, saveAs } from './save-as'
import { SaveNote } from './save-note'
import { TopicTree, type TopicTreeHandle } from './topic-tree'
import '@/features/topics/topics.css'
import { linesOf, placeInside } from './tree-edits'
import type { TreeEditor } from './tree-editor'
import { enabledCount, treeShape, type TreeShape } from './tree-rows'
import { useChosenTopic } from './use-chosen-topic'
import { useSuggestions, type Suggestions } from '@/features/topics/suggestions/use-suggestions'
import { useTreeActions, type Done, type TreeActions } from './use-tree-actions'

const TopicDetail = lazy(async () => ({ default: (await import('@/features/topics/detail/topic-detail')).TopicDetail }))
const TopicDrawer = lazy(async () => ({ default: (await import('@/features/topics/detail/topic-drawer')).TopicDrawer }))
const ImportDialog = lazyPart(async () => (await import('@/features/topics/import/import-dialog')).ImportDialog)
const TreeDialog = lazyPart(async () => (await import('@/features/topics/tree-dialog')).TreeDialog)
const MoveDialog = lazyPart(async () => (await import('./move-dialog')).MoveDialog)
/** Below the facts of a topic. */
const SuggestionsPanel = lazyPart(
  async () => (await import('@/features/topics/suggestions/suggestions')).SuggestionsPanel,
  <div className="suggest-space" />,
)
const UsedBy = lazyPart(async () => (await import('@/features/topics/detail/used-by')).UsedBy)

interface TopicTreePageProps {
  treeId: string
  /** The pages above it, where it is seen from elsewhere than among all trees. */
  crumbs?: Crumb[]
  onDeleted: () => void
}

export function TopicTreePage({ treeId, crumbs: above, onDeleted }: TopicTreePageProps) {
  const { t } = useTranslation(['common', 'topics'])
  const crumbs = above ?? [{ label: t('topics:title'), to: paths.topics }]
  const tree = useQuery(topicTreeQuery(treeId))
  if (isMissing(tree.error)) return <TreeGone tree={tree.data} crumbs={crumbs} />
  if (tree.data) return <Loaded key={treeId} tree={tree.data} crumbs={crumbs} onDeleted={onDeleted} />
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

/** Deleted in another tab while it stood here, or never there. What was on the screen can be kept as lines. */
function TreeGone({ tree, crumbs }: { tree: TopicTreeDetail | undefined; crumbs: Crumb[] }) {
  const { t } = useTranslation(['common', 'topics'])
  const shown = useRef<HTMLPreElement>(null)
  const lines = useMemo(() => linesOf(tree?.topics ?? []), [tree?.topics])
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={tree?.name ?? t('topics:topics')}
      />
      <div role="alert">
        <EmptyState
          title={t('topics:treeGone')}
          text={t(tree ? 'topics:treeGoneText' : 'topics:treeMissingText')}
          actions={
            <>
              <Button component={Link} to={paths.topics}>
                {t('topics:toTrees')}
              </Button>
              {tree && (
                <>
                  <CopyButton
                    text={lines}
                    label={t('topics:copyLines')}
                    onForbidden={() => markAndCopy(shown.current)}
                  />
                  <Button
                    variant="default"
                    leftSection={<IconDownload size={15} aria-hidden />}
                    onClick={() => saveAs(`${tree.name}.txt`, lines)}
                  >
                    {t('topics:download')}
                  </Button>
                </>
              )}
            </>
          }
        />
      </div>
      {tree && (
        <pre ref={shown} className="panel tree-lines" aria-label={t('topics:lines')} tabIndex={0}>
          {lines}
        </pre>
      )}
    </>
  )
}

/** The page without what depends on the topic that is chosen: choosing another one draws none of it again. */
function Loaded({ tree, crumbs, onDeleted }: { tree: TopicTreeDetail; crumbs: Crumb[]; onDeleted: () => void }) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const { change } = useUrlFilters()
  const handle = useRef<TopicTreeHandle>(null)
  const editor = useTreeEditor(tree.id)
  const [editing, edit] = useDisclosure()
  const topics = useTopics(editor)
  const shape = useMemo(() => treeShape(topics), [topics])

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
  return (
    <div className="page-wide">
      <TreeHeader
        tree={tree}
        crumbs={crumbs}
        count={topics.length}
        enabled={enabledCount(shape)}
        onAdd={() => handle.current?.add('sibling')}
        onImport={() => change({ import: 'branch' })}
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

interface TreeBodyProps {
  tree: TopicTreeDetail
  shape: TreeShape
  editor: TreeEditor
  handle: RefObject<TopicTreeHandle | null>
  onCopy: (topicId: string) => void
}

function TreeBody({ tree, shape, editor, handle, onCopy }: TreeBodyProps) {
  const { t } = useTranslation(['common', 'topics'])
  const { filter, change } = useUrlFilters()
  const asking = useRef<HTMLDivElement>(null)
  const suggestions = useSuggestions(tree.id, editor)
  const beside = useMediaQuery('(min-width: 62em)', true, { getInitialValueInEffect: false })
  const showUndone = useCallback((done: Done | undefined) => handle.current?.showUndone(done), [handle])
  const actions = useTreeActions(editor, showUndone)
  const [chosen, choose] = useChosenTopic(editor)
  const [facts, showFacts] = useDisclosure(filter('topic') !== '')
  const [moving, setMoving] = useState<string>()
  const [asked, setAsked] = useState(false) // a menu leads to the suggestions, which may not be there yet

  const indexOf = (key: string) => shape.indexOf.get(key) ?? shape.indexOf.get(editor.idOf(key)) ?? -1
  const topic = shape.topics[Math.max(0, indexOf(chosen))]
  const key = editor.keyOf(topic?.id ?? '')
  const movingTopic = moving === undefined ? undefined : shape.topics[indexOf(moving)]

  const goToSuggestions = () => {
    const button = asking.current?.querySelector<HTMLElement>('[type=submit]')
    if (!asked || !button) return
    setAsked(false)
    button.scrollIntoView({ block: 'nearest' })
    button.focus()
  }

  const act = (what: Extract<RowAct, 'open' | 'moveTo' | 'suggest' | 'import' | 'copy'>, on: string) => {
    switch (what) {
      case 'open':
        return showFacts.open()
      case 'moveTo':
        return setMoving(on)
      case 'suggest':
        showFacts.open()
        return setAsked(true)
      case 'import':
        return change({ topic: editor.idOf(on), import: 'branch' })
      case 'copy':
        return onCopy(on)
    }
  }
  const hideFacts = showFacts.close
  const addChild = useCallback(() => {
    hideFacts()
    handle.current?.add('child')
  }, [handle, hideFacts])
  const remove = useCallback(() => {
    hideFacts()
    handle.current?.remove()
    handle.current?.focus()
  }, [handle, hideFacts])
  const openTopic = useCallback((topicKey: string) => handle.current?.open(topicKey), [handle])
  const here = useEffectEvent(goToSuggestions)
  useEffect(() => {
    if (asked) requestAnimationFrame(here)
  }, [asked])
  // arrow keys pass many topics: the tree goes ahead, and the facts of the last one follow; at first, too
  const lately = useDeferredValue<string | null>(key, null)
  const factsOf = lately !== null && indexOf(lately) < 0 ? key : lately // it has just gone
  const chosenFacts = factsOf !== null && (
    <TopicFacts
      treeId={tree.id}
      topicKey={factsOf}
      shape={shape}
      editor={editor}
      actions={actions}
      onAddChild={addChild}
      onDelete={remove}
      asking={asking}
      suggestions={suggestions}
      onAsked={openTopic}
      inPanels={beside}
    />
  )
  return (
    <>
      <div className="cols">
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
          touchOpens={!beside}
        />
        {beside && chosenFacts}
      </div>
      {!beside && (
        <Suspense>
          <TopicDrawer
            opened={facts}
            onClose={() => {
              hideFacts()
              handle.current?.focus()
            }}
            onOpened={goToSuggestions}
          >
            {chosenFacts}
          </TopicDrawer>
        </Suspense>
      )}
      <MoveDialog
        opened={movingTopic !== undefined}
        shape={shape}
        topic={movingTopic}
        onClose={() => {
          setMoving(undefined)
          handle.current?.focus()
        }}
        onMove={(targetId) => {
          const place = placeInside(editor.topics, targetId)
          if (movingTopic && place) actions.moveTo(movingTopic.id, place)
          setMoving(undefined)
          handle.current?.focus()
        }}
      />
      <ImportDialog
        opened={filter('import') !== ''}
        under={topic && { treeId: tree.id, topicId: topic.id, title: topic.title }}
        onClose={() => change({ import: null })}
        onImported={() => change({ import: null })}
      />
    </>
  )
}

interface TopicFactsProps {
  treeId: string
  topicKey: string
  shape: TreeShape
  editor: TreeEditor
  actions: TreeActions
  onAddChild: () => void
  onDelete: () => void
  /** Where subtopics are asked for. */
  asking: RefObject<HTMLDivElement | null>
  suggestions: Suggestions
  onAsked: (topicKey: string) => void
  /** Beside the tree; else it fills a drawer. */
  inPanels: boolean
}

/** The chosen topic and its suggestions. */
const TopicFacts = memo(function TopicFacts(props: TopicFactsProps) {
  const { treeId, topicKey, shape, editor, actions, onAddChild, onDelete, asking, suggestions, onAsked, inPanels } =
    props
  const { t } = useTranslation(['common', 'topics'])
  // never the facts of another one: what was typed for this one would become theirs
  const at = shape.indexOf.get(topicKey) ?? shape.indexOf.get(editor.idOf(topicKey)) ?? -1
  const topic = shape.topics[at]
  if (!topic) return null
  const detail = (
    <Suspense fallback={<RowSkeletons rows={3} />}>
      <TopicDetail
        key={topicKey}
        topicKey={topicKey}
        shape={shape}
        at={at}
        actions={actions}
        onAddChild={onAddChild}
        onDelete={onDelete}
      />
    </Suspense>
  )
  const suggested = (
    <div ref={asking}>
      <SuggestionsPanel
        key={topicKey}
        treeId={treeId}
        topic={topic}
        editor={editor}
        suggestions={suggestions}
        listed={!inPanels}
        onAsked={() => onAsked(topicKey)}
      />
    </div>
  )
  if (!inPanels)
    return (
      <div className="stack">
        <SaveNote editor={editor} />
        {detail}
        <h3 className="panel-title">{t('topics:suggest.title')}</h3>
        {suggested}
      </div>
    )
  return (
    <div className="stack tree-side">
      <Panel title={t('topics:topic')} aside={<span className="topic-keys">Alt + ↑ ↓</span>}>
        {detail}
      </Panel>
      <Panel title={t('topics:suggest.title')}>{suggested}</Panel>
    </div>
  )
})

interface TreeHeaderProps {
  tree: TopicTreeDetail
  crumbs: Crumb[]
  count: number
  enabled: number
  onAdd: () => void
  onImport: () => void
  onDownload: () => void
  onCopy: () => void
  onEdit: () => void
  onDeleted: () => void
}

function TreeHeader({ tree, crumbs, count, enabled, onAdd, onImport, onDownload, onCopy, onEdit, onDeleted }: TreeHeaderProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const confirm = useConfirm()
  const remove = useDeleteTree()
  const [message, setMessage] = useState<string>()
  const [used, showUsed] = useDisclosure()

  const askToDelete = async () => {
    if (tree.used_by > 0) return showUsed.open()
    const sure = await confirm({
      title: t('topics:deleteTitle', { name: tree.name }),
      text: t('topics:deleteText'),
      action: t('topics:delete'),
      danger: true,
    })
    if (!sure) return
    setMessage(undefined)
    remove.mutate(
      { path: { tree_id: tree.id } },
      {
        onSuccess: () => {
          notifications.show({ message: t('topics:deleted', { name: tree.name }) })
          onDeleted()
        },
        onError: (problem) => {
          // an assistant has taken it since this page was opened
          if (problem.code === 'in_use') showUsed.open()
          else setMessage(`${t('topics:deleteFailed')} ${problemText(t, problem)}`)
        },
      },
    )
  }
  return (
    <>
      <PageHeader
        crumbs={crumbs}
        title={tree.name}
        sub={
          <>
            <span className="num">
              {[
                t('topics:topicCount', { count }),
                t('topics:enabledCount', { count: enabled }),
                tree.used_by > 0 ? t('topics:usedByCount', { count: tree.used_by }) : t('topics:usedByNone'),
              ].join(', ')}
            </span>
            {tree.description && <span className="tree-about">{tree.description}</span>}
          </>
        }
        actions={
          <>
            <Menu position="bottom-end">
              <Menu.Target>
                <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />}>
                  {t('topics:export')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconDownload size={16} aria-hidden />} onClick={onDownload}>
                  {t('topics:download')}
                </Menu.Item>
                <Menu.Item leftSection={<IconCopy size={16} aria-hidden />} onClick={onCopy}>
                  {t('topics:copyLines')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
            <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={onAdd}>
              {t('topics:add')}
            </Button>
            <Menu position="bottom-end">
              <Menu.Target>
                <ActionIcon size={36} variant="default" aria-label={t('topics:more')} loading={remove.isPending}>
                  <IconDots size={17} aria-hidden />
                </ActionIcon>
              </Menu.Target>
              <Menu.Dropdown>
                <Menu.Item leftSection={<IconFileImport size={16} aria-hidden />} onClick={onImport}>
                  {t('topics:act.import')}
                </Menu.Item>
                <Menu.Item leftSection={<IconPencil size={16} aria-hidden />} onClick={onEdit}>
                  {t('topics:edit')}
                </Menu.Item>
                <Menu.Divider />
                <Menu.Item
                  className="tree-danger"
                  leftSection={<IconTrash size={16} aria-hidden />}
                  onClick={() => void askToDelete()}
                >
                  {t('topics:delete')}
                </Menu.Item>
              </Menu.Dropdown>
            </Menu>
          </>
        }
      />
      {message && (
        <div className="notices">
          <div className="form-errors" role="alert">
            {message}
          </div>
        </div>
      )}
      <UsedBy tree={tree} opened={used} onClose={showUsed.close} />
    </>
  )
}
