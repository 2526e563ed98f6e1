import { Button, Input, TextInput } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { parseTime } from './form-values'
import { RemovableChip } from './removable-chip'

interface TimeSlotsProps {
  value: string[]
  error?: ReactNode
  onChange: (slots: string[]) => void
}

/** Times as removable chips, and a field that adds one. */
export function TimeSlots({ value, error, onChange }: TimeSlotsProps) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const input = useRef<HTMLInputElement>(null)

  const add = () => {
    const time = parseTime(text)
    if (!time) return setWrong(t('errors:bad_time', { value: text }))
    if (value.includes(time)) return setWrong(t('assistants:form.timeExists', { time }))
    onChange([...value, time].sort())
    setText('')
    setWrong(null)
    input.current?.focus()
  }
  return (
    <fieldset className="plain" data-field="schedule.time_slots">
      <legend>{t('assistants:form.times')}</legend>
      <div className="timechips">
        {value.map((slot) => (
          <RemovableChip
            key={slot}
            text={slot}
            isNumeric
            removeLabel={t('assistants:form.removeTime', { time: slot })}
            onRemove={() => {
              onChange(value.filter((candidate) => candidate !== slot))
              input.current?.focus()
            }}
          />
        ))}
        <TextInput
          ref={input}
          className="timenew"
          aria-label={t('assistants:form.newTime')}
          placeholder={t('assistants:form.timePlaceholder')}
          inputMode="numeric"
          maxLength={5}
          value={text}
          error={Boolean(wrong ?? error)}
          onChange={(event) => {
            setText(event.currentTarget.value)
            setWrong(null)
          }}
          onKeyDown={(event) => {
            if (event.key !== 'Enter') return
            event.preventDefault() // Enter would submit the form
            if (text) add()
          }}
          // add a typed time on blur, which would be lost silently
          onBlur={() => text && parseTime(text) && add()}
        />
        <Button
          variant="default"
          size="sm"
          leftSection={<IconPlus size={14} aria-hidden />}
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => (text ? add() : input.current?.focus())}
        >
          {t('assistants:form.addTime')}
        </Button>
      </div>
      {(wrong ?? error) && (
        <Input.Error mt={6} role="alert">
          {wrong ?? error}
        </Input.Error>
      )}
    </fieldset>
  )
}
