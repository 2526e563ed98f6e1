import { Button, Group, Modal, Skeleton, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CopyField } from '@/components/copy-field'
import { useConfirm } from '@/components/confirm'
import { PasswordForm } from '@/components/password-form'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'
import { useFeed, useRemoveFeed, useRenewFeed, useShowFeed } from './api'

/** The secret address at which other programs read the calendar. */
export function SubscribeDialog({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  const { t } = useTranslation(['common', 'calendar'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('calendar:feed.title')} closeButtonProps={{ 'aria-label': t('close') }}>
      {opened && <Feed />}
    </Modal>
  )
}

function Feed() {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const problemText = useProblemText()
  const feed = useFeed()
  const show = useShowFeed()
  const renew = useRenewFeed()
  const remove = useRemoveFeed()
  const [address, setAddress] = useState<string>()
  const [renewing, setRenewing] = useState(false)
  const problem = remove.error ?? feed.error
  const madeAt = feed.data?.created_at ?? null

  const send = (call: typeof renew | typeof show) => (current_password: string, onError: (problem: Problem) => void) => {
    remove.reset() // hides an earlier failure
    call.mutate(
      { body: { current_password } },
      {
        onSuccess: ({ address }) => {
          setAddress(address)
          setRenewing(false)
        },
        onError,
      },
    )
  }
  const feedButtons = (
    <FeedButtons
      remove={remove}
      onRemoved={() => setAddress(undefined)}
      onRenew={() => {
        setAddress(undefined)
        setRenewing(true)
      }}
    />
  )
  return (
    <Stack gap="md">
      <Text size="sm">{t('calendar:feed.lead')}</Text>
      {problem && (
        <Text role="alert" size="sm" c="var(--mantine-color-error)">
          {problemText(problem)}
        </Text>
      )}
      {feed.isPending ? (
        <Skeleton height={60} />
      ) : madeAt === null ? (
        !feed.isError && (
          <PasswordForm
            key="make"
            text={t('calendar:feed.makeText')}
            action={t('calendar:feed.make')}
            pending={renew.isPending}
            onSubmit={send(renew)}
          />
        )
      ) : address ? (
        <>
          <CopyField label={t('calendar:feed.address')} value={address} description={t('calendar:feed.secret')} />
          <Text size="sm" className="dim">
            {t('calendar:feed.since', { when: format.dayAndTime(madeAt) })}
          </Text>
          <Group gap="sm" justify="flex-end">
            {feedButtons}
          </Group>
        </>
      ) : renewing ? (
        <PasswordForm
          key="renew"
          text={t('calendar:feed.renewText')}
          action={t('calendar:feed.renewAction')}
          pending={renew.isPending}
          onSubmit={send(renew)}
          onCancel={() => setRenewing(false)}
        />
      ) : (
        <PasswordForm
          key="show"
          text={t('calendar:feed.showText', { when: format.dayAndTime(madeAt) })}
          action={t('calendar:feed.show')}
          pending={show.isPending}
          onSubmit={send(show)}
          otherActions={feedButtons}
        />
      )}
    </Stack>
  )
}

interface FeedButtonsProps {
  remove: ReturnType<typeof useRemoveFeed>
  onRemoved: () => void
  onRenew: () => void
}

/** The buttons that turn the feed off or create another address. */
function FeedButtons({ remove, onRemoved, onRenew }: FeedButtonsProps) {
  const { t } = useTranslation(['common', 'calendar'])
  const confirm = useConfirm()
  const turnOff = async () => {
    const sure = await confirm({
      title: t('calendar:feed.offTitle'),
      text: t('calendar:feed.offText'),
      action: t('calendar:feed.offAction'),
      danger: true,
    })
    if (sure) remove.mutate({}, { onSuccess: onRemoved })
  }
  return (
    <>
      <Button variant="subtle" color="red" loading={remove.isPending} onClick={() => void turnOff()}>
        {t('calendar:feed.off')}
      </Button>
      <Button variant="default" onClick={onRenew}>
        {t('calendar:feed.renew')}
      </Button>
    </>
  )
}
