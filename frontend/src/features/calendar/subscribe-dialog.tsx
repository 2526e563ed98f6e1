import { Button, Group, Skeleton, Stack, Text } from '@mantine/core'
import { CopyField } from '@/components/copy-field'
import { useConfirm } from '@/components/confirm'
import { Modal } from '@/components/dialog'
import { useProblemText } from '@/components/use-problem-text'
import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { useFeed, useRemoveFeed, useRenewFeed } from './api'

/** The secret address at which other programs read the calendar. */
export function SubscribeDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Modal opened={opened} onClose={onClose} title={t('calendar.feed.title')} closeButtonProps={{ 'aria-label': t('common.close') }}>
      {opened && <Feed />}
    </Modal>
  )
}

function Feed() {
  const { t } = useTranslation()
  const format = useFormat()
  const confirm = useConfirm()
  const problemText = useProblemText()
  const feed = useFeed()
  const renew = useRenewFeed()
  const remove = useRemoveFeed()
  const problem = renew.error ?? remove.error ?? feed.error
  const { address, created_at } = feed.data ?? { address: null, created_at: null }

  // what failed before is over
  const make = () => {
    remove.reset()
    renew.mutate({})
  }
  const another = async () => {
    const sure = await confirm({
      title: t('calendar.feed.renewTitle'),
      text: t('calendar.feed.renewText'),
      action: t('calendar.feed.renewAction'),
    })
    if (sure) make()
  }
  const off = async () => {
    const sure = await confirm({
      title: t('calendar.feed.offTitle'),
      text: t('calendar.feed.offText'),
      action: t('calendar.feed.offAction'),
      danger: true,
    })
    if (!sure) return
    renew.reset()
    remove.mutate({})
  }
  return (
    <Stack gap="md">
      <Text size="sm">{t('calendar.feed.lead')}</Text>
      {problem && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {problemText(problem)}
        </Text>
      )}
      {feed.isPending ? (
        <Skeleton height={60} />
      ) : address ? (
        <>
          <CopyField label={t('calendar.feed.address')} value={address} description={t('calendar.feed.secret')} />
          {created_at && (
            <Text size="sm" className="dim">
              {t('calendar.feed.since', { when: format.dayAndTime(created_at) })}
            </Text>
          )}
          <Group gap="sm">
            <Button variant="default" loading={renew.isPending} onClick={() => void another()}>
              {t('calendar.feed.renew')}
            </Button>
            <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => void off()}>
              {t('calendar.feed.off')}
            </Button>
          </Group>
        </>
      ) : (
        !feed.isError && (
          <Group>
            <Button loading={renew.isPending} onClick={make}>
              {t('calendar.feed.make')}
            </Button>
          </Group>
        )
      )}
    </Stack>
  )
}
