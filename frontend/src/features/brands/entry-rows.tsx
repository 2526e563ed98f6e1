import { ActionIcon, Button, Input, TextInput } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useId, type KeyboardEvent, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRows } from './use-rows'

interface EntryRowsProps {
  /** The field's path in the form; an entry's error is at `dos.0`. */
  field: string
  label: string
  hint: string
  /** Label of the button that adds an entry. */
  addLabel: string
  values: readonly string[]
  /** The limits of the number of entries and of an entry's characters. */
  most: number
  longest: number
  errors: Partial<Record<string, ReactNode>>
  onChange: (values: string[]) => void
}

/** A list with one row for each entry. Enter adds a row, Backspace in an empty row removes it. */
export function EntryRows({ field, label, hint, addLabel, values, most, longest, errors, onChange }: EntryRowsProps) {
  const { t } = useTranslation(['common', 'brands'])
  const labelId = useId()
  const { list, add, full, insertAt, removeAt } = useRows(values, most, onChange)
  const onKey = (event: KeyboardEvent, index: number) => {
    // Enter chooses a word of an input method
    if (event.key === 'Enter' && !event.nativeEvent.isComposing) {
      // Enter in a field would save the form
      event.preventDefault()
      insertAt(index + 1, '')
    } else if (event.key === 'Backspace' && values[index] === '') {
      event.preventDefault()
      // the held key that emptied the row removes none
      if (!event.repeat) removeAt(index)
    }
  }
  return (
    <div role="group" aria-labelledby={labelId} data-field={field}>
      <div className="field-label" id={labelId}>
        {label}
      </div>
      <p className="entry-hint">{hint}</p>
      <ul className="entry-rows" ref={list}>
        {values.map((value, index) => (
          <li key={index}>
            <TextInput
              className="grow"
              aria-label={t('brands:entry', { label, number: index + 1 })}
              value={value}
              maxLength={longest}
              error={errors[`${field}.${index}`]}
              onChange={(event) => onChange(values.with(index, event.currentTarget.value))}
              onKeyDown={(event) => onKey(event, index)}
            />
            <ActionIcon size={34} aria-label={t('brands:removeEntry', { label, number: index + 1 })} onClick={() => removeAt(index)}>
              <IconX size={15} aria-hidden />
            </ActionIcon>
          </li>
        ))}
      </ul>
      {errors[field] && (
        <Input.Error mb={6} role="alert">
          {errors[field]}
        </Input.Error>
      )}
      <Button
        ref={add}
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={14} aria-hidden />}
        disabled={full}
        onClick={() => insertAt(values.length, '')}
      >
        {addLabel}
      </Button>
      {full && <span className="field-note">{t('brands:full', { count: most })}</span>}
    </div>
  )
}
