import { Button, Modal, TextInput } from '@mantine/core'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { dayIn, momentIn } from '@/lib/time-zones'
import { MORNING } from './morning'

const MOST = 366 * 24 * 3_600_000 // ms

interface PauseDialogProps {
  /** The assistant's time zone. */
  zone: string
  now: Date
  opened: boolean
  onClose: () => void
  onChoose: (until: Date) => void
}

/** A dialog for the end of a pause, in the assistant's time zone. */
export function PauseDialog({ opened, onClose, ...props }: PauseDialogProps) {
  const { t } = useTranslation(['common', 'runs'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('runs:live.steering.dateTitle')}>
      <PauseDate onClose={onClose} {...props} />
    </Modal>
  )
}

function PauseDate({ zone, now, onClose, onChoose }: Omit<PauseDialogProps, 'opened'>) {
  const { t } = useTranslation(['common', 'runs'])
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
          label={t('runs:live.steering.day')}
          min={dayIn(zone, now)}
          value={day}
          error={wrong && t('runs:live.steering.past')}
          onChange={(event) => {
            setWrong(false)
            setDay(event.currentTarget.value)
          }}
        />
        <TextInput
          type="time"
          label={t('runs:live.steering.time', { zone: zone.slice(zone.lastIndexOf('/') + 1).replaceAll('_', ' ') })}
          value={time}
          onChange={(event) => {
            setWrong(false)
            setTime(event.currentTarget.value)
          }}
        />
      </div>
      <div className="buttons at-end">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit">{t('runs:live.steering.dateAction')}</Button>
      </div>
    </form>
  )
}
