import { NativeSelect, Radio, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CsvField, DateOrder, type ImportColumnOut, type ImportPreviewOut, type TextEncoding } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { FormMore } from '@/components/form-more'
import { useFormatIn } from '@/i18n/use-format'
import type { Choices } from './files'

interface ImportReadingProps {
  found: ImportPreviewOut
  /** What was said of it until now. */
  choices: Choices
  onSay: (more: Choices) => void
}

const TIME_TYPED = 400 // ms without a key

/** How a file is read: what it does not show is asked, and whatever it shows can be changed. */
export function ImportReading({ found, choices, onSay }: ImportReadingProps) {
  const { t } = useTranslation(['common', 'posts'])
  const asksContent = found.questions.includes('content')
  return (
    <>
      {found.questions.length > 0 ? (
        <Banner tone="turn" title={t('posts:import.turn')}>
          {t(asksContent ? 'posts:import.contentMissing' : 'posts:import.turnHint')}
        </Banner>
      ) : (
        <Unread columns={found.columns} />
      )}
      <Encoding found={found} choices={choices} onSay={onSay} />
      <Dates found={found} choices={choices} onSay={onSay} />
      <Columns columns={found.columns} choices={choices} open={asksContent} onSay={onSay} />
    </>
  )
}

/** A column that holds more than nothing, and that is not read. */
function Unread({ columns }: { columns: readonly ImportColumnOut[] }) {
  const { t } = useTranslation(['common', 'posts'])
  const planned = columns.some(({ field }) => field === 'planned_at')
  const index = columns.findIndex(({ sign }) => (sign === 'dates' && !planned) || sign === 'images')
  const column = columns[index]
  if (!column?.sign) return null
  return (
    <Banner tone="warn" title={t(`posts:import.${column.sign}`)}>
      {t(`posts:import.${column.sign}Hint`, { column: column.name || t('posts:import.column', { number: index + 1 }) })}
    </Banner>
  )
}

function Encoding({ found, choices, onSay }: ImportReadingProps) {
  const { t } = useTranslation(['common', 'posts'])
  const asked = found.questions.includes('encoding')
  // once it was asked, it stays where it was answered
  const [shown, setShown] = useState(asked)
  if (asked && !shown) setShown(true)
  if (found.encodings.length < 2) return null
  const say = (encoding: string) => onSay({ encoding: encoding as TextEncoding })
  // in an order that the choice does not change
  const encodings = found.encodings.toSorted((one, other) => one.encoding.localeCompare(other.encoding, 'en'))
  return shown ? (
    <Radio.Group
      label={t('posts:import.encoding')}
      description={t('posts:import.encodingHint')}
      value={choices.encoding ?? (asked ? '' : found.encoding)}
      onChange={say}
    >
      <div className="stack scopes">
        {encodings.map(({ encoding, example }) => (
          <Radio
            key={encoding}
            value={encoding}
            label={<span className="clip-2">{example}</span>}
            description={t(`posts:import.encodings.${encoding}`)}
          />
        ))}
      </div>
    </Radio.Group>
  ) : (
    <NativeSelect
      label={t('posts:import.encodingChosen')}
      value={choices.encoding ?? found.encoding}
      data={encodings.map(({ encoding }) => ({ value: encoding, label: t(`posts:import.encodings.${encoding}`) }))}
      onChange={(event) => say(event.currentTarget.value)}
    />
  )
}

function Dates({ found, choices, onSay }: ImportReadingProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormatIn('UTC') // days, of no time zone
  const { two_way_date: date, day_without_time: day } = found
  const orders = date && { day_first: date.day_first, month_first: date.month_first }
  return (
    <>
      {date && orders && (
        <Radio.Group
          label={t('posts:import.dateOrder', { cell: date.cell })}
          value={choices.date_order ?? found.date_order ?? ''}
          onChange={(order) => onSay({ date_order: order as DateOrder })}
        >
          <div className="stack scopes">
            {Object.values(DateOrder).map((order) => (
              <Radio key={order} value={order} label={format.day(`${orders[order]}T00:00:00Z`)} />
            ))}
          </div>
        </Radio.Group>
      )}
      {day && <TimeOfDay cell={day} value={choices.time_of_day ?? ''} onSay={onSay} />}
    </>
  )
}

function TimeOfDay({ cell, value, onSay }: { cell: string; value: string } & Pick<ImportReadingProps, 'onSay'>) {
  const { t } = useTranslation(['common', 'posts'])
  const [typed, setTyped] = useState(value)
  const say = useDebouncedCallback((time: string) => onSay({ time_of_day: time || undefined }), TIME_TYPED)
  return (
    <TextInput
      type="time"
      className="import-time"
      label={t('posts:import.timeOfDay')}
      description={t('posts:import.timeOfDayHint', { cell })}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        say(event.currentTarget.value)
      }}
    />
  )
}

interface ColumnsProps extends Pick<ImportReadingProps, 'choices' | 'onSay'> {
  columns: readonly ImportColumnOut[]
  open: boolean
}

function Columns({ columns, choices, open, onSay }: ColumnsProps) {
  const { t } = useTranslation(['common', 'posts'])
  // what was chosen a moment ago is not in the answer yet
  const fields = choices.columns?.split(',') ?? columns.map(({ field }) => field ?? '')
  // programs put empty columns at the end
  const shown = columns.map((column, index) => ({ ...column, index })).filter(({ name, example }) => name || example)
  const read = fields.filter(Boolean).length
  const hold = (index: number, field: string) =>
    // what another column holds is held by this one instead
    onSay({ columns: fields.map((other, at) => (at === index ? field : other === field ? '' : other)).join(',') })
  return (
    <FormMore title={t('posts:import.columns')} summary={t('posts:import.columnsRead', { read, all: shown.length })} open={open}>
      <p className="mid">{t('posts:import.columnsHint')}</p>
      {shown.map(({ index, name, example }) => (
        <NativeSelect
          key={index}
          label={name || t('posts:import.column', { number: index + 1 })}
          description={example && <span className="clip-2">{t('posts:import.example', { example })}</span>}
          value={fields[index]}
          onChange={(event) => hold(index, event.currentTarget.value)}
          data={[
            { value: '', label: t('posts:import.notRead') },
            ...Object.values(CsvField).map((name) => ({ value: name, label: t(`posts:import.fields.${name}`) })),
          ]}
        />
      ))}
    </FormMore>
  )
}
