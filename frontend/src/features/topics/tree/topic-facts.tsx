import { lazy, memo, Suspense, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { RowSkeletons } from '@/components/skeletons'
import type { Suggestions } from '@/features/topics/suggestions/use-suggestions'
import { SaveNote } from './save-note'
import type { TreeEditor } from './tree-editor'
import { indexOfKey, type TreeShape } from './tree-rows'
import type { TreeActions } from './use-tree-actions'

const TopicDetail = lazy(async () => ({ default: (await import('@/features/topics/detail/topic-detail')).TopicDetail }))
const SuggestionsPanel = lazyPart(
  async () => (await import('@/features/topics/suggestions/suggestions')).SuggestionsPanel,
  <div className="suggest-space" />,
)
interface TopicFactsProps {
  treeId: string
  topicKey: string
  shape: TreeShape
  editor: TreeEditor
  actions: TreeActions
  onAddChild: () => void
  onDelete: () => void
  /** The element with the form that requests subtopics. */
  suggestForm: RefObject<HTMLDivElement | null>
  suggestions: Suggestions
  onRequested: (topicKey: string) => void
  /** The facts are panels beside the tree, not the content of a drawer. */
  inPanels: boolean
}

/** The chosen topic and its suggestions. */
export const TopicFacts = memo(function TopicFacts(props: TopicFactsProps) {
  const { treeId, topicKey, shape, editor, actions, onAddChild, onDelete, suggestForm, suggestions, onRequested, inPanels } =
    props
  const { t } = useTranslation(['common', 'topics'])
  // no fallback to another topic, which would get what is typed here
  const at = indexOfKey(shape, editor.idOf, topicKey)
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
    <div ref={suggestForm}>
      <SuggestionsPanel
        key={topicKey}
        treeId={treeId}
        topic={topic}
        editor={editor}
        suggestions={suggestions}
        listed={!inPanels}
        onRequested={() => onRequested(topicKey)}
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
