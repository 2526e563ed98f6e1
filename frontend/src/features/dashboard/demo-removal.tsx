import { Alert, Button, Group, Modal, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { DemoDataOut } from '@/api/types.gen'
import { problemText } from '@/lib/problems'
import { demoQuery, useRemoveDemoData } from './api'

const COUNTED = ['assistants', 'posts', 'templates', 'topic_trees', 'pictures', 'accounts'] as const

interface DemoRemovalProps {
  opened: boolean
  /** The demo data when the page was rendered. */
  demoData: DemoDataOut
  onClose: () => void
}

export function DemoRemoval({ opened, demoData, onClose }: DemoRemovalProps) {
  const { t } = useTranslation(['common', 'dashboard'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('dashboard:demo.removeTitle')}>
      <Removal demoData={demoData} onClose={onClose} />
    </Modal>
  )
}

/** What will be removed and what stays, refetched, since demo assistants may have posted meanwhile. */
function Removal({ demoData, onClose }: Omit<DemoRemovalProps, 'opened'>) {
  const { t } = useTranslation(['common', 'dashboard', 'errors'])
  const { data = demoData } = useQuery({ ...demoQuery, staleTime: 0 })
  const remove = useRemoveDemoData(() => void notifications.show({ message: t('dashboard:demo.removed') }))
  const removedKinds = COUNTED.filter((what) => data[what] > 0)
  return (
    <div className="stack">
      <Text>{t(removedKinds.length > 0 ? 'dashboard:demo.removeText' : 'dashboard:demo.removeNothing')}</Text>
      {removedKinds.length > 0 && (
        <ul className="demo-list">
          {removedKinds.map((what) => (
            <li key={what}>{t(`dashboard:demo.${what}`, { count: data[what] })}</li>
          ))}
        </ul>
      )}
      {data.kept.length === 0 ? (
        <Text size="sm" c="dimmed">
          {t('dashboard:demo.rule')}
        </Text>
      ) : (
        <>
          <Text>{t('dashboard:demo.keptText')}</Text>
          <ul className="demo-list">
            {data.kept.map(({ kind, id, name }) => (
              <li key={id}>{t(`dashboard:demo.kept.${kind}`, { name })}</li>
            ))}
          </ul>
        </>
      )}
      {remove.error && (
        <Alert color="red" role="alert">
          {t('dashboard:demo.removeFailed')} {problemText(t, remove.error)}
        </Alert>
      )}
      <Group justify="flex-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button color="red" loading={remove.isPending} onClick={() => remove.mutate({})}>
          {t('dashboard:demo.remove')}
        </Button>
      </Group>
    </div>
  )
}
