import { Button, Drawer, Stack, Text } from '@mantine/core'
import { IconArrowBackUp, IconBolt, IconPlayerTrackNext, IconTimeline } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { PlannedSlotOut } from '@/api/types.gen'
import { channelName, isSite } from '@/components/channel'
import { Facts } from '@/components/facts'
import { useRunCommands, useUnskip } from '@/components/use-run-commands'
import { useFormat, useFormatIn } from '@/i18n/use-format'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { assistantOf, writtenAs, type Entry } from './entries'

/** The drawer with the actions on a slot without a post: a future or a skipped one. */
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

function Planned({ slot, onDone }: { slot: PlannedSlotOut; onDone: () => void }) {
  const { t } = useTranslation(['common', 'calendar'])
  const format = useFormat()
  const slotFormat = useFormatIn(slot.time_zone)
  const name = slot.assistant_name
  const channels = format.list([...new Set(slot.channels)].map(channelName))
  const written = slot.channels.some(isSite) ? 'article' : 'post'
  const commands = useRunCommands({ id: slot.assistant_id, name, mode: slot.mode, written, channels })
  const skip = useOneAtATime(async () => {
    if (await commands.skip(slot.slot)) onDone()
  })
  const run = useOneAtATime(async () => {
    if (await commands.run()) onDone()
  })

  return (
    <Stack gap="md">
      <Facts
        facts={[
          [t('calendar:slot.assistant'), name],
          [t('calendar:slot.when'), format.dayAndTime(slot.slot)],
          [
            t('calendar:slot.theirTime'),
            slotFormat.dayAndTime(slot.slot) !== format.dayAndTime(slot.slot) &&
              t('calendar:inZone', { time: slotFormat.dayAndTime(slot.slot), zone: slot.time_zone }),
          ],
          [t('calendar:slot.channels'), channels || t('calendar:slot.noChannel')],
        ]}
      />
      <Button
        variant="default"
        disabled={!slot.is_next}
        loading={commands.isSkipping}
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
      <Button variant="default" loading={commands.isRunning} leftSection={<IconBolt size={15} aria-hidden />} aria-describedby="beside" onClick={() => void run()}>
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
  const { run } = entry
  const { unskip, isUnskipping } = useUnskip({ id: run.assistant_id, name: run.assistant_name })
  const takeBack = async () => {
    await unskip(run.slot)
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
      <Button variant="default" loading={isUnskipping} leftSection={<IconArrowBackUp size={15} aria-hidden />} onClick={() => void takeBack()}>
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
