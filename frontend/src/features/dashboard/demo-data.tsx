import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import type { DemoDataOut } from '@/api/types.gen'
import { EmptyState } from '@/components/empty-state'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { problemText } from '@/lib/problems'
import { demoQuery, useMakeDemoData } from './api'

const DemoRemoval = lazyPart(async () => (await import('./demo-removal')).DemoRemoval)

const LOOK_AGAIN = 2_000 // ms

/** The demo data, refetched while it is being created elsewhere, such as before a reload. */
const useDemoData = () =>
  useQuery({ ...demoQuery, refetchInterval: ({ state }) => (state.data?.state === 'being_made' ? LOOK_AGAIN : false) })

/** The offer of demo data, shown before there are posts. `offered`: the user has no own data yet. */
export function FirstPosts({ offered }: { offered: boolean }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const { data } = useDemoData()
  const make = useAdd()
  const absent = data?.state === 'absent'
  if (offered && data && (absent || data.state === 'being_made' || make.isPending)) {
    return (
      <Panel>
        <EmptyState
          title={t('dashboard:demo.offerTitle')}
          text={[offerText(t, data), data.pays && t('dashboard:demo.pays')].filter(Boolean).join(' ')}
          actions={
            <Button loading={make.isPending || !absent} onClick={() => make.mutate({})}>
              {t('dashboard:demo.make')}
            </Button>
          }
        />
        <p className="vh" role="status">
          {(make.isPending || !absent) && t('dashboard:demo.making')}
        </p>
      </Panel>
    )
  }
  return (
    <Panel>
      <EmptyState title={t('dashboard:firstTitle')} text={t('dashboard:firstText')} />
    </Panel>
  )
}

/** The note on existing demo data, with the button that removes it. */
export function DemoDataNote() {
  const { data } = useDemoData()
  return data?.state === 'present' || data?.state === 'incomplete' ? <Note data={data} /> : null
}

function Note({ data }: { data: DemoDataOut }) {
  const { t } = useTranslation(['common', 'dashboard'])
  const make = useAdd()
  const [isDialogOpen, openDialog] = useDisclosure()
  const half = data.state === 'incomplete'
  return (
    <aside className="next-step" aria-label={t('dashboard:demo.noteTitle')}>
      <div className="grow two-lines">
        <b>{t(half ? 'dashboard:demo.incompleteTitle' : 'dashboard:demo.noteTitle')}</b>
        <small>{half ? t('dashboard:demo.incompleteText') : t(data.publishes ? 'dashboard:demo.noteText' : 'dashboard:demo.noteTextOff')}</small>
      </div>
      {half && (
        <Button size="xs" loading={make.isPending} onClick={() => make.mutate({})}>
          {t('dashboard:demo.again')}
        </Button>
      )}
      <Button size="xs" variant="default" onClick={openDialog.open}>
        {t('dashboard:demo.remove')}
      </Button>
      <DemoRemoval opened={isDialogOpen} onClose={openDialog.close} demoData={data} />
    </aside>
  )
}

/**
 * Return the mutation that adds demo data and shows the result in a notification, since the button has gone by then.
 */
function useAdd() {
  const { t } = useTranslation(['common', 'dashboard', 'errors'])
  return useMakeDemoData(
    (demoData) => void notifications.show({ message: t(madeText(demoData)) }),
    (problem) =>
      void notifications.show({ color: 'red', message: `${t('dashboard:demo.makeFailed')} ${problemText(t, problem)}` }),
  )
}

function offerText(t: TFunction<['common', 'dashboard']>, { publishes, pays }: DemoDataOut): string {
  if (!publishes) return t('dashboard:demo.offerTextOff')
  return t(pays ? 'dashboard:demo.offerTextPaid' : 'dashboard:demo.offerText')
}

function madeText({ publishes, pays }: DemoDataOut) {
  if (!publishes) return 'dashboard:demo.madeOff' as const
  return pays ? ('dashboard:demo.madePaid' as const) : ('dashboard:demo.made' as const)
}
