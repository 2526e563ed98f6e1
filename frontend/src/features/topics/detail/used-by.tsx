import { List, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { TopicTreeDetail } from '@/api/types.gen'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { assistantsOfTreeQuery } from '@/features/topics/api'

interface UsedByProps {
  tree: TopicTreeDetail
  opened: boolean
  onClose: () => void
}

/** The assistants that prevent the deletion of a tree, as links. */
export function UsedBy({ tree, opened, onClose }: UsedByProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const assistants = useQuery({ ...assistantsOfTreeQuery(tree.id), enabled: opened })
  return (
    <Modal opened={opened} onClose={onClose} title={t('topics:inUseTitle', { name: tree.name })}>
      <p className="dialog-text">{t('topics:inUseText')}</p>
      {assistants.isError && <p role="alert">{problemText(t, assistants.error)}</p>}
      <List mt="sm" spacing={6}>
        {assistants.data?.map(({ id, name }) => (
          <List.Item key={id}>
            <Link className="link" to={generatePath(paths.assistant, { assistantId: id })}>
              {name}
            </Link>
          </List.Item>
        ))}
      </List>
    </Modal>
  )
}
