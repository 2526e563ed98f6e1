import { Button, TextInput } from '@mantine/core'
import { IconBolt, IconChevronDown, IconPlayerPause, IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react'
import { useState, type FormEvent } from 'react'
import type { AssistantLiveOut, AssistantOut } from '@/api/types.gen'
import { Modal } from '@/components/dialog'
import { LaterMenu } from '@/components/later-menu'
import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { dayIn, momentIn } from '@/lib/time-zones'
import { useSteering } from './use-steering'

const HOUR = 3_600_000 // ms
const WEEK = 7 * 24 * HOUR
const MOST = 366 * 24 * HOUR
const MORNING = '08:00'

/** What a person does with an active assistant, asleep or not: each is confirmed by its workflow. */
export function Steering({ live, now }: { live: AssistantLiveOut; now: Date }) {
  const { t } = useTranslation()
  const { assistant, next_slot } = live
  const { busy, pause, resume, run, skip } = useSteering(live)
  return (
    <div className="live-actions" role="group" aria-label={t('liveRun.steering.label')}>
      {assistant.pause ? (
        <Button
          size="xs"
          loading={busy === 'resume'}
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          onClick={() => void resume()}
        >
          {t('liveRun.steering.resume')}
        </Button>
      ) : (
        <PauseMenu assistant={assistant} now={now} busy={busy === 'pause'} onPause={(until) => void pause(until)} />
      )}
      <Button
        size="xs"
        variant="default"
        loading={busy === 'run'}
        leftSection={<IconBolt size={15} aria-hidden />}
        onClick={() => void run()}
      >
        {t('liveRun.steering.run')}
      </Button>
      {next_slot && (
        <Button
          size="xs"
          variant="default"
          loading={busy === 'skip'}
          // the dates are still those of before
          disabled={busy === 'pause' || busy === 'resume'}
          leftSection={<IconPlayerTrackNext size={15} aria-hidden />}
          onClick={() => void skip(next_slot)}
        >
          {t('liveRun.steering.skip')}
        </Button>
      )}
    </div>
  )
}

interface PauseMenuProps {
  assistant: AssistantOut
  now: Date
  busy: boolean
  /** Null: without an end. */
  onPause: (until: Date | null) => void
}

export function PauseMenu({ assistant, now, busy, onPause }: PauseMenuProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const [asking, setAsking] = useState(false)
  const zone = assistant.schedule.time_zone
  const morning = momentIn(zone, dayIn(zone, now, 1), MORNING)
  const later = (milliseconds: number) => new Date(now.getTime() + milliseconds)
  return (
    <>
      <LaterMenu
        position="bottom-start"
        width={240}
        target={
          <Button
            size="xs"
            variant="default"
            loading={busy}
            aria-label={t('liveRun.steering.pauseMenu', { name: assistant.name })}
            leftSection={<IconPlayerPause size={15} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t('liveRun.steering.pause')}
          </Button>
        }
      >
        {(Menu) => (
          <>
            <Menu.Item onClick={() => onPause(later(HOUR))}>{t('liveRun.steering.hour')}</Menu.Item>
            {morning && (
              <Menu.Item onClick={() => onPause(morning)}>
                {t('liveRun.steering.tomorrow', { time: format.timeInSentence(morning) })}
              </Menu.Item>
            )}
            <Menu.Item onClick={() => onPause(later(WEEK))}>{t('liveRun.steering.week')}</Menu.Item>
            <Menu.Item onClick={() => setAsking(true)}>{t('liveRun.steering.date')}</Menu.Item>
            <Menu.Divider />
            <Menu.Item onClick={() => onPause(null)}>{t('liveRun.steering.endless')}</Menu.Item>
          </>
        )}
      </LaterMenu>
      <Modal opened={asking} onClose={() => setAsking(false)} title={t('liveRun.steering.dateTitle')}>
        <PauseDate
          zone={zone}
          now={now}
          onClose={() => setAsking(false)}
          onChoose={(until) => {
            setAsking(false)
            onPause(until)
          }}
        />
      </Modal>
    </>
  )
}

interface PauseDateProps {
  zone: string
  now: Date
  onClose: () => void
  onChoose: (until: Date) => void
}

/** A day and a time on the assistant's own clock. */
function PauseDate({ zone, now, onClose, onChoose }: PauseDateProps) {
  const { t } = useTranslation()
  const [day, setDay] = useState(() => dayIn(zone, now, 1))
  const [time, setTime] = useState(MORNING)
  const [wrong, setWrong] = useState(false)
  const choose = (event: FormEvent) => {
    event.preventDefault()
    const until = momentIn(zone, day, time)
    const distance = until ? until.getTime() - now.getTime() : 0
    if (!until || distance <= 0 || distance > MOST) setWrong(true)
    else onChoose(until)
  }
  return (
    <form noValidate onSubmit={choose}>
      <div className="pair">
        <TextInput
          data-autofocus
          type="date"
          label={t('liveRun.steering.day')}
          min={dayIn(zone, now)}
          value={day}
          error={wrong && t('liveRun.steering.past')}
          onChange={(event) => {
            setWrong(false)
            setDay(event.currentTarget.value)
          }}
        />
        <TextInput
          type="time"
          label={t('liveRun.steering.time', { zone: zone.split('/').at(-1)?.replaceAll('_', ' ') })}
          value={time}
          onChange={(event) => {
            setWrong(false)
            setTime(event.currentTarget.value)
          }}
        />
      </div>
      <div className="buttons at-end">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit">{t('liveRun.steering.dateAction')}</Button>
      </div>
    </form>
  )
}
