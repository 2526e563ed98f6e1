import { useNavigate, useSearchParams } from 'react-router'
import { NextStepBar } from '@/features/dashboard/next-step'
import { TopicTreePage } from '@/features/topics/tree/tree-page'
import { paths } from '@/lib/paths'

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
