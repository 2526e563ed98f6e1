import { useNavigate, useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { TopicTreePage } from '@/features/topics/tree/tree-page'
import { paths } from '@/lib/paths'

const NextStepBar = lazyPart(async () => (await import('@/features/dashboard/next-step')).NextStepBar)

/** One tree, which the query names. */
export function TopicTreeRoute() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (
    <>
      <NextStepBar after="create_topic_tree" />
      <TopicTreePage treeId={search.get('tree') ?? ''} onDeleted={() => void navigate(paths.topics)} />
    </>
  )
}
