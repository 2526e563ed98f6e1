import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { AskedOut } from '@/api/types.gen'
import { ProblemText } from '@/components/problem-text'
import { firstLine } from '@/features/posts/post-state'
import { paths } from '@/lib/paths'
import type { Problem } from '@/lib/problems'
import type { Decision } from './use-held-decision'

export interface Refusal {
  decision: Decision
  problem: Problem
}

export const nameOf = ({ post }: AskedOut) => post.topic_title || firstLine(post.content)

/** Says that the server refused an answer. If the post still waits for one, it is back in the list. */
export function RefusalNotice({ onClose, ...refusal }: Refusal & { onClose: () => void }) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <div className="inbox-notice" role="alert">
      <p className="grow">
        <RefusalText {...refusal} />
      </p>
      <ActionIcon variant="subtle" color="gray" aria-label={t('posts:inbox.dismiss')} onClick={onClose}>
        <IconX size={16} aria-hidden />
      </ActionIcon>
    </div>
  )
}

export function RefusalText({ decision: { question }, problem }: Refusal) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <>
      <b>{t('posts:inbox.notSent', { post: nameOf(question) })}</b> <ProblemText problem={problem} />{' '}
      <Link className="link" to={generatePath(paths.post, { socialMediaPostId: question.post.id })}>
        {t('posts:inbox.open')}
      </Link>
    </>
  )
}
