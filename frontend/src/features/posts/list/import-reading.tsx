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
  result: ImportPreviewOut
  /** The user's choices so far. */
  choices: Choices
  onChange: (more: Choices) => void
}

const TIME_TYPED = 400 // ms without a key

/** How a file is read: questions about what can't be detected, and fields to change anything else. */
export function ImportReading({ result, choices, onChange }: ImportReadingProps) {
  const { t } = useTranslation(['common', 'posts'])
  const asksContent = result.questions.includes('content')
  return (
    <>
      {result.questions.length > 0 ? (
        <Banner tone="turn" title={t('posts:import.turn')}>
          {t(asksContent ? 'posts:import.contentMissing' : 'posts:import.turnHint')}
        </Banner>
      ) : (
        <Unread columns={result.columns} />
      )}
      <Encoding result={result} choices={choices} onChange={onChange} />
      <Dates result={result} choices={choices} onChange={onChange} />
      <Columns columns={result.columns} choices={choices} open={asksContent} onChange={onChange} />
    </>
  )
}

/** A warning about a column with values that is not imported. */
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

function Encoding({ result, choices, onChange }: ImportReadingProps) {
  const { t } = useTranslation(['common', 'posts'])
  const isQuestion = result.questions.includes('encoding')
  // a question stays in place after the answer
  const [shown, setShown] = useState(isQuestion)
  if (isQuestion && !shown) setShown(true)
  if (result.encodings.length < 2) return null
  const changeEncoding = (encoding: string) => onChange({ encoding: encoding as TextEncoding })
  // sorted, so that the choice does not change the order
  const encodings = result.encodings.toSorted((a, b) => a.encoding.localeCompare(b.encoding, 'en'))
  return shown ? (
    <Radio.Group
      label={t('posts:import.encoding')}
      description={t('posts:import.encodingHint')}
      value={choices.encoding ?? (isQuestion ? '' : result.encoding)}
      onChange={changeEncoding}
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
      value={choices.encoding ?? result.encoding}
      data={encodings.map(({ encoding }) => ({ value: encoding, label: t(`posts:import.encodings.${encoding}`) }))}
      onChange={(event) => changeEncoding(event.currentTarget.value)}
    />
  )
}

function Dates({ result, choices, onChange }: ImportReadingProps) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormatIn('UTC') // days, of no time zone
  const { two_way_date: date, day_without_time: day } = result
  const orders = date && { day_first: date.day_first, month_first: date.month_first }
  return (
    <>
      {date && orders && (
        <Radio.Group
          label={t('posts:import.dateOrder', { cell: date.cell })}
          value={choices.date_order ?? result.date_order ?? ''}
          onChange={(order) => onChange({ date_order: order as DateOrder })}
        >
          <div className="stack scopes">
            {Object.values(DateOrder).map((order) => (
              <Radio key={order} value={order} label={format.day(`${orders[order]}T00:00:00Z`)} />
            ))}
          </div>
        </Radio.Group>
      )}
      {day && <TimeOfDay cell={day} value={choices.time_of_day ?? ''} onChange={onChange} />}
    </>
  )
}

function TimeOfDay({ cell, value, onChange }: { cell: string; value: string } & Pick<ImportReadingProps, 'onChange'>) {
  const { t } = useTranslation(['common', 'posts'])
  const [typed, setTyped] = useState(value)
  const changeTime = useDebouncedCallback((time: string) => onChange({ time_of_day: time || undefined }), TIME_TYPED)
  return (
    <TextInput
      type="time"
      className="import-time"
      label={t('posts:import.timeOfDay')}
      description={t('posts:import.timeOfDayHint', { cell })}
      value={typed}
      onChange={(event) => {
        setTyped(event.currentTarget.value)
        changeTime(event.currentTarget.value)
      }}
    />
  )
}

interface ColumnsProps extends Pick<ImportReadingProps, 'choices' | 'onChange'> {
  columns: readonly ImportColumnOut[]
  open: boolean
}

function Columns({ columns, choices, open, onChange }: ColumnsProps) {
  const { t } = useTranslation(['common', 'posts'])
  // the latest choice is not in the preview yet
  const fields = choices.columns?.split(',') ?? columns.map(({ field }) => field ?? '')
  // programs put empty columns at the end
  const shown = columns.map((column, index) => ({ ...column, index })).filter(({ name, example }) => name || example)
  const read = fields.filter(Boolean).length
  const hold = (index: number, field: string) =>
    // a field of another column moves to this column
    onChange({ columns: fields.map((current, at) => (at === index ? field : current === field ? '' : current)).join(',') })
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
