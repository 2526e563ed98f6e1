import { Button, Checkbox, FileButton, Modal } from '@mantine/core'
import { IconAlertCircle, IconFileText } from '@tabler/icons-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { ImportColumnOut, ImportErrorOut, ImportLineOut, ImportPreviewOut } from '@/api/types.gen'
import { accountName } from '@/components/channel'
import { Tag } from '@/components/tag'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { TimeZoneContext } from '@/i18n/locale'
import { useFormat, useTimeZone } from '@/i18n/use-format'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, type Problem } from '@/lib/problems'
import { LARGEST, MOST_LINES, useImportPosts, useImportPreview, type Choices } from './files'
import { ImportReading } from './import-reading'

interface ImportDialogProps {
  opened: boolean
  onClose: () => void
  /** Called with the ids of the created drafts. */
  onImported: (postIds: string[]) => void
}

/** The import of drafts from a CSV file: a preview with all problems first, then the button that saves them. */
export function ImportDialog({ opened, onClose, onImported }: ImportDialogProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t('posts:files.import')}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <ImportForm onClose={onClose} onImported={onImported} />
    </Modal>
  )
}

function ImportForm({ onClose, onImported }: Omit<ImportDialogProps, 'opened'>) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const reset = useRef<() => void>(null)
  const [onlyRight, setOnlyRight] = useState(false)
  const importing = useImportPosts()
  const importOnce = useMutateOnce(importing)
  const read = useFileReading(() => {
    importing.reset()
    setOnlyRight(false)
  })
  const { file, zone, choices, result, preview } = read

  const save = (result: ImportPreviewOut) => {
    if (!file) return
    importOnce(
      { file, time_zone: zone, ...choices, import_id: read.importId, digest: result.digest, only_right: onlyRight },
      {
        onSuccess: ({ post_ids }) => {
          onClose()
          onImported(post_ids)
        },
      },
    )
  }
  const current = preview.isSuccess && result !== undefined && result.questions.length === 0
  const ready = current && result.right > 0 && (result.wrong === 0 || onlyRight)
  return (
    <div className="stack">
      <p className="mid">{t('posts:files.importLead', { most: MOST_LINES, size: LARGEST })}</p>
      <TimeZoneSelect
        label={t('posts:files.zone')}
        description={t('posts:files.zoneHint')}
        value={zone}
        onChange={(chosen) => chosen && read.changeZone(chosen)}
      />
      <FileButton
        resetRef={reset}
        accept=".csv,.tsv,.txt,text/csv,text/plain"
        onChange={(chosen) => {
          reset.current?.() // the same file can be chosen again, after it was corrected
          if (chosen) read.choose(chosen)
        }}
      >
        {(props) => (
          <Button
            {...props}
            className="file-choice"
            data-autofocus
            variant="default"
            loading={preview.isPending}
            leftSection={<IconFileText size={15} aria-hidden />}
          >
            {t(file ? 'posts:files.chooseOther' : 'posts:files.choose')}
          </Button>
        )}
      </FileButton>
      {file && isTooLarge(file) && (
        <div className="form-errors" role="alert">
          {t('errors:too_large', { limit: LARGEST })}
        </div>
      )}
      <ProblemOf problem={preview.error} />
      {result && file && (
        <TimeZoneContext value={zone}>
          <Preview name={file.name} result={result} reading={<ImportReading result={result} choices={choices} onChange={read.changeChoices} />}>
            {result.wrong > 0 && result.right > 0 && (
              <Checkbox
                label={t('posts:files.onlyRight', { count: result.right })}
                checked={onlyRight}
                onChange={(event) => setOnlyRight(event.currentTarget.checked)}
              />
            )}
          </Preview>
        </TimeZoneContext>
      )}
      <ProblemOf problem={importing.error} />
      <div className="dialog-foot">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        {importing.error?.code === 'csv_changed' ? (
          <Button onClick={read.again}>{t('posts:files.lookAgain')}</Button>
        ) : (
          <Button disabled={!ready} loading={importing.isPending} onClick={() => result && save(result)}>
            {t('posts:files.save', { count: (current && result.right) || 0 })}
          </Button>
        )}
      </div>
    </div>
  )
}

const isTooLarge = (file: File) => file.size > LARGEST * 1024 ** 2

/** State of the chosen file, how it is read, and what the server finds in it. `onRead`: called before each reading. */
function useFileReading(onRead: () => void) {
  const userZone = useTimeZone()
  const [zone, setZone] = useState(userZone)
  const [file, setFile] = useState<File>()
  const [choices, setChoices] = useState<Choices>({})
  // the last preview stays visible while the next one is loaded
  const [result, setResult] = useState<ImportPreviewOut>()
  const [importId, setImportId] = useState('')
  const preview = useImportPreview()

  const read = (chosen: File | undefined, timeZone: string, chosenReading: Choices) => {
    onRead()
    preview.reset()
    // each reading is another import
    setImportId(crypto.randomUUID())
    if (chosen && !isTooLarge(chosen))
      preview.mutate({ file: chosen, time_zone: timeZone, ...chosenReading }, { onSuccess: setResult })
  }
  return {
    zone,
    file,
    choices,
    result,
    importId,
    preview,
    choose: (chosen: File) => {
      setFile(chosen)
      setResult(undefined)
      setChoices({})
      read(chosen, zone, {})
    },
    changeZone: (chosen: string) => {
      setZone(chosen)
      if (file) read(file, chosen, choices)
    },
    changeChoices: (changes: Choices) => {
      const changed = { ...choices, ...changes }
      setChoices(changed)
      read(file, zone, changed)
    },
    again: () => read(file, zone, choices),
  }
}

/** What is wrong with the whole file, or the line that cannot be read. */
function ProblemOf({ problem }: { problem: Problem | null }) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  if (!problem) return null
  const places = problem.errors.map((error) => {
    const line = /^lines\.(\d+)$/.exec(error.field)?.[1]
    const sentence = problemText(t, error)
    return line ? t('posts:files.atLine', { line: Number(line), problem: sentence }) : sentence
  })
  return (
    <div className="form-errors" role="alert">
      {places.length > 0 ? places.join(' ') : problemText(t, problem)}
    </div>
  )
}

interface PreviewProps {
  name: string
  result: ImportPreviewOut
  /** How the file is read. */
  reading: ReactNode
  /** Shown above the lines. */
  children: ReactNode
}

function Preview({ name, result, reading, children }: PreviewProps) {
  const { t } = useTranslation(['common', 'posts'])
  const nothing = result.right + result.wrong === 0 && !result.questions.includes('content')
  return (
    <>
      <div role="status">
        <p className="file-name">
          <b>{name}</b>{' '}
          <span className="dim">
            {t('posts:files.found', { count: result.right })}
            {result.wrong > 0 && ` ${t('posts:files.wrong', { count: result.wrong })}`}
          </span>
        </p>
        {nothing && <p>{t('posts:files.nothing')}</p>}
      </div>
      {reading}
      {children}
      <Lines label={t('posts:files.wrongLines')} lines={result.wrong_lines} all={result.wrong} columns={result.columns} />
      <Lines
        label={t('posts:files.lines')}
        lines={result.lines.filter(({ errors }) => errors.length === 0)}
        all={result.right}
        columns={result.columns}
      />
    </>
  )
}

interface LinesProps {
  label: string
  lines: readonly ImportLineOut[]
  all: number
  columns: readonly ImportColumnOut[]
}

function Lines({ label, lines, all, columns }: LinesProps) {
  const { t } = useTranslation(['common', 'posts'])
  if (lines.length === 0) return null
  return (
    <section className="stack">
      <h3 className="panel-title">{label}</h3>
      <ul className="import-lines" tabIndex={0} aria-label={label}>
        {lines.map((line) => (
          <Line key={line.number} line={line} columns={columns} />
        ))}
      </ul>
      {all > lines.length && <p className="fine-print">{t('posts:files.more', { count: all - lines.length })}</p>}
    </section>
  )
}

function Line({ line, columns }: { line: ImportLineOut; columns: readonly ImportColumnOut[] }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const facts = [
    line.planned_at && format.dayAndTime(line.planned_at),
    line.accounts.map(({ name, channel }) => accountName({ name, kind: channel })).join(', '),
    line.files > 0 && t('posts:files.attached', { count: line.files }),
  ].filter(Boolean)
  return (
    <li>
      <span className="import-number num">{t('posts:files.line', { number: line.number })}</span>
      <div className="two-lines">
        <span className="clip-2">{line.content || t('posts:noText')}</span>
        {facts.length > 0 && <small>{facts.join(' · ')}</small>}
        {line.tags.length > 0 && (
          <span className="post-tags">
            {line.tags.map((tag) => (
              <Tag key={tag}>{tag}</Tag>
            ))}
          </span>
        )}
        {line.errors.map((error, index) => (
          <span key={index} className="file-problem">
            <IconAlertCircle size={15} aria-hidden /> <Wrong error={error} columns={columns} />
          </span>
        ))}
      </div>
    </li>
  )
}

function Wrong({ error, columns }: { error: ImportErrorOut; columns: readonly ImportColumnOut[] }) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const column = columns.find(({ field }) => field === error.column)?.name || error.column
  const sentence = problemText(t, { ...error, field: error.column })
  return <span>{error.column ? t('posts:files.atColumn', { column, problem: sentence }) : sentence}</span>
}
