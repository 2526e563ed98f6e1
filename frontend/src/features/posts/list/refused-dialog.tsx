import { Button, Modal } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import { ProblemText } from '@/components/problem-text'
import { paths } from '@/lib/paths'
import { nameOf } from '@/features/posts/post-state'
import type { Bulk } from './use-bulk'
import { paramsOf } from '@/lib/problems'
import { areAllArticles, contentKindOf } from '@/lib/content-kind'

/** The posts that were not changed, each with the reason. */
export function RefusedDialog({ bulk }: { bulk: Bulk }) {
  const { t } = useTranslation(['common', 'posts'])
  const { refused } = bulk
  const count = refused.length
  const title = areAllArticles(refused.map(({ post }) => post)) ? t('posts:refusedArticles', { count }) : t('posts:refusedTitle', { count })
  return (
    <Modal
      opened={refused.length > 0}
      onClose={bulk.forget}
      title={title}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <div className="stack">
        <ul className="refused" tabIndex={0} aria-label={title}>
          {refused.map(({ post, problem }) => (
            <li key={post.id}>
              <Link className="clip-2" to={generatePath(paths.post, { socialMediaPostId: post.id })}>
                {nameOf(t, post)}
              </Link>
              <span className="dim">
                <ProblemText problem={{ ...problem, params: { ...problem.params, ...paramsOf(contentKindOf(post)) } }} />
              </span>
            </li>
          ))}
        </ul>
        <div className="dialog-foot">
          <Button onClick={bulk.forget}>{t('close')}</Button>
        </div>
      </div>
    </Modal>
  )
}
