import { Button, Drawer, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconArrowBackUp, IconBolt, IconPlayerTrackNext, IconTimeline } from '@tabler/icons-react'
import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { PlannedSlotOut } from '@/api/types.gen'
import { channelName, isSite } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { Facts } from '@/components/facts'
import { withRemedy } from '@/components/problem-text'
import { showUndo } from '@/components/undo'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat, useFormatIn } from '@/i18n/use-format'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { isProblem } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'
import { useRunNow, useSkip, useUnskip } from './api'
import { assistantOf, writtenAs, type Entry } from './entries'

/** What can be done with a slot that has no post: one to come, or one that was left out. */
export function SlotDrawer({ opened, entry, onClose }: { opened: boolean; entry: Entry | null; onClose: () => void }) {
  const { t } = useTranslation(['common', 'calendar'])
  const title = entry?.kind === 'run' ? 'calendar:slot.skippedTitle' : (`calendar:slot.title.${entry ? writtenAs(entry) : 'post'}` as const)
  return (
    <Drawer opened={opened} onClose={onClose} position="right" size={400} title={t(title)} closeButtonProps={{ 'aria-label': t('close') }}>
      {entry?.kind === 'planned' && <Planned slot={entry.slot} onDone={onClose} />}
      {entry?.kind === 'run' && <Skipped entry={entry} onDone={onClose} />}
    </Drawer>
  )
}

function useSteps() {
  const { t } = useTranslation(['common', 'runs'])
  const format = useFormat()
  const problemText = useProblemText()
  const unskipping = useUnskip()
  const complain = (key: 'runFailed' | 'skipFailed' | 'undoFailed', error: unknown, name: string) => {
    if (!isProblem(error)) throw error
    const message = t(`runs:live.steering.${key}`, { name, reason: problemText(error) })
    notifications.show({ color: 'red', message: withRemedy(error.code, message) })
  }
  const unskip = async (assistantId: string, slot: string, name: string) => {
    try {
      await unskipping.mutateAsync({ path: { assistant_id: assistantId }, body: { slot } })
      notifications.show({ message: t('runs:live.steering.undone', { when: format.dayAndTime(slot) }) })
    } catch (error) {
      complain('undoFailed', error, name)
    }
  }
  return { complain, unskip, unskipping: unskipping.isPending }
}

function Planned({ slot, onDone }: { slot: PlannedSlotOut; onDone: () => void }) {
  const { t } = useTranslation(['common', 'calendar', 'runs'])
  const format = useFormat()
  const theirs = useFormatIn(slot.time_zone)
  const confirm = useConfirm()
  const running = useRunNow()
  const skipping = useSkip()
  const { complain, unskip } = useSteps()
  const request = useRef<string | null>(null)
  const name = slot.assistant_name
  const path = { assistant_id: slot.assistant_id }
  const channels = format.list([...new Set(slot.channels)].map(channelName))
  const written = slot.channels.some(isSite) ? 'article' : 'post'

  const skip = useOneAtATime(async () => {
    try {
      const { undo_until } = await skipping.mutateAsync({ path, body: { slot: slot.slot } })
      const message = t('runs:live.steering.skipped', { when: format.dayAndTime(slot.slot) })
      const undo = () => void unskip(slot.assistant_id, slot.slot, name)
      if (undo_until) showUndo({ message, label: t('runs:live.steering.undo'), undo })
      else notifications.show({ message })
      onDone()
    } catch (error) {
      complain('skipFailed', error, name)
    }
  })

  const run = useOneAtATime(async () => {
    const sure =
      slot.mode !== 'automatic' ||
      (await confirm({
        title: t(`runs:live.steering.runQuestion.${written}`),
        text: t(`runs:live.steering.runText.${written}`, { name, channels }),
        action: t('runs:live.steering.runAction'),
      }))
    if (!sure) return
    // kept as long as nobody knows whether it arrived: asked for again, it is the same run
    request.current ??= newRequestId()
    try {
      await running.mutateAsync({ path, body: { request_id: request.current } })
      request.current = null
      notifications.show({ message: t('runs:live.steering.running', { name }) })
      onDone()
    } catch (error) {
      complain('runFailed', error, name)
    }
  })

  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t('calendar:slot.assistant'), name],
          [t('calendar:slot.when'), format.dayAndTime(slot.slot)],
          [
            t('calendar:slot.theirTime'),
            theirs.dayAndTime(slot.slot) !== format.dayAndTime(slot.slot) &&
              t('calendar:inZone', { time: theirs.dayAndTime(slot.slot), zone: slot.time_zone }),
          ],
          [t('calendar:slot.channels'), channels || t('calendar:slot.noChannel')],
        ]}
      />
      <Button
        variant="default"
        disabled={!slot.is_next}
        loading={skipping.isPending}
        leftSection={<IconPlayerTrackNext size={15} aria-hidden />}
        aria-describedby={slot.is_next ? undefined : 'not-next'}
        onClick={() => void skip()}
      >
        {t('calendar:slot.skip')}
      </Button>
      {!slot.is_next && (
        <Text id="not-next" size="sm" className="dim">
          {t(`calendar:slot.notNext.${written}`)}
        </Text>
      )}
      <Button variant="default" loading={running.isPending} leftSection={<IconBolt size={15} aria-hidden />} aria-describedby="beside" onClick={() => void run()}>
        {t('calendar:slot.run')}
      </Button>
      <Text id="beside" size="sm" className="dim">
        {t(`calendar:slot.runText.${written}`)}
      </Text>
      <OpenAssistant id={slot.assistant_id} />
    </Stack>
  )
}

function Skipped({ entry, onDone }: { entry: Entry & { kind: 'run' }; onDone: () => void }) {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const { unskip, unskipping } = useSteps()
  const { run } = entry
  const takeBack = async () => {
    await unskip(run.assistant_id, run.slot, run.assistant_name)
    onDone()
  }
  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t('calendar:slot.assistant'), assistantOf(entry)],
          [t('calendar:slot.when'), format.dayAndTime(run.slot)],
        ]}
      />
      <Button variant="default" loading={unskipping} leftSection={<IconArrowBackUp size={15} aria-hidden />} onClick={() => void takeBack()}>
        {t('calendar:slot.unskip')}
      </Button>
      <OpenAssistant id={run.assistant_id} />
    </Stack>
  )
}

function OpenAssistant({ id }: { id: string }) {
  const { t } = useTranslation(['common', 'calendar'])
  return (
    <Button component={Link} to={generatePath(paths.assistant, { assistantId: id })} variant="default" leftSection={<IconTimeline size={15} aria-hidden />}>
      {t('calendar:slot.open')}
    </Button>
  )
}
