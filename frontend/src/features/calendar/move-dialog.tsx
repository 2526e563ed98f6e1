import { Button, Group, Text, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { FormModal } from '@/components/form-modal'
import { timeToOffer } from '@/lib/clock'
import { instantOf, timeInsteadOf, wallTime } from '@/lib/time-zones'
import type { ContentKind } from '@/lib/content-kind'
import { writtenAs, type Entry } from './entries'

interface MoveDialogProps {
  opened: boolean
  entry: Entry | null
  now: Date
  zone: string
  onMove: (entry: Entry, to: Date) => void
  onClose: () => void
}

/** The dialog that moves an entry by the keyboard. */
export function MoveDialog({ opened, entry, now, zone, onMove, onClose }: MoveDialogProps) {
  const { t } = useTranslation(['common', 'calendar'])
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      size="md"
      title={t(`calendar:moveTitle.${entry ? writtenAs(entry) : 'post'}`)}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {(close, onTyped) =>
        entry && <Choose key={entry.id} entry={entry} now={now} zone={zone} onMove={onMove} onTyped={onTyped} onClose={close} />
      }
    </FormModal>
  )
}

interface ChooseProps extends Omit<MoveDialogProps, 'opened'> {
  entry: Entry
  onTyped: (typed: boolean) => void
}

function Choose({ entry, now, zone, onMove, onTyped, onClose }: ChooseProps) {
  const { t } = useTranslation(['common', 'calendar', 'errors', 'posts'])
  const [offered] = useState(() => wallTime(timeToOffer(entry.at, now), zone))
  const [value, setValue] = useState(offered)
  const to = value ? instantOf(value, zone) : null
  const past = to !== null && to.getTime() <= now.getTime()
  const skipped = timeInsteadOf(value, zone)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!to || past) return
    onClose()
    // a repeated hour at a clock change has the same name twice
    if (value !== wallTime(new Date(entry.at), zone)) onMove(entry, to)
  }
  return (
    <form onSubmit={submit}>
      <Text size="sm" mb="sm" lineClamp={2}>
        {entry.title}
      </Text>
      <TextInput
        type="datetime-local"
        label={t('calendar:when')}
        description={skipped ? t('posts:actions.leftOut', { time: skipped }) : <MoveHint zone={zone} written={writtenAs(entry)} />}
        value={value}
        required
        withAsterisk={false}
        data-autofocus
        error={past && t('errors:slot_past')}
        onChange={(event) => {
          setValue(event.currentTarget.value)
          onTyped(event.currentTarget.value !== offered)
        }}
      />
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={!to || past}>
          {t(`calendar:moveAction.${writtenAs(entry)}`)}
        </Button>
      </Group>
    </form>
  )
}

/** The keyboard shortcuts, on devices with a keyboard. */
function MoveHint({ zone, written }: { zone: string; written: ContentKind }) {
  const { t } = useTranslation(['common', 'calendar'])
  return (
    <>
      {t('calendar:zone', { zone })} <span className="keys-hint">{t(`calendar:keys.${written}`)}</span>
    </>
  )
}
