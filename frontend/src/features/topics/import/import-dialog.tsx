import { Button, FileButton, Modal, NativeSelect, TextInput } from '@mantine/core'
import { useDebouncedValue, useId } from '@mantine/hooks'
import { IconAlertCircle, IconFileText } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useRef, useState, type DragEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicPreviewOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { decodeAs, encodings, decodeTextFile, type Encoding } from '@/lib/text-file'
import { importPreviewQuery, useImportBranch, useImportTopics } from '@/features/topics/api'
import { withHyphens } from './indented-list'
import { lineProblems, type LineProblem } from './import-lines'
import { ImportPreview } from './import-preview'
import { LineEditor, type LineEditorHandle } from '@/features/topics/tree/line-editor'
import '@/features/topics/topics.css'

const PREVIEW_AFTER = 300 // ms without a key
const SHOWN = 6 // lines of a converted list
const LONGEST = 2_500_000 // characters that the server takes

/** The topic that gets the lines as its children. */
export interface ImportTarget {
  treeId: string
  topicId: string
  title: string
}

interface ImportDialogProps {
  opened: boolean
  /** None: the lines make a new tree. */
  under?: ImportTarget
  onClose: () => void
  /** With the tree that has the topics now. */
  onImported: (treeId: string) => void
}

export function ImportDialog({ opened, under, onClose, onImported }: ImportDialogProps) {
  const { t } = useTranslation(['common', 'topics'])
  const [typed, setTyped] = useState(false)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={
        <span className="clip-2">
          {under ? t('topics:importUnder', { title: under.title }) : t('topics:import')}
        </span>
      }
      size={860}
      closeOnEscape={!typed}
      closeOnClickOutside={!typed}
    >
      <ImportForm under={under} onTyped={setTyped} onCancel={onClose} onImported={onImported} />
    </Modal>
  )
}

/** Its first lines, and a sign where there are more. */
function shortList(list: string) {
  const lines = list.split('\n')
  return lines.length > SHOWN ? `${lines.slice(0, SHOWN).join('\n')}\n…` : list
}

interface ImportFormProps {
  under: ImportTarget | undefined
  onTyped: (typed: boolean) => void
  onCancel: () => void
  onImported: (treeId: string) => void
}

function ImportForm({ under, onTyped, onCancel, onImported }: ImportFormProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const id = useId()
  const editor = useRef<LineEditorHandle>(null)
  const resetFile = useRef<() => void>(null)
  const [typedName, setTypedName] = useState<string>()
  const [fileName, setFileName] = useState('')
  const [nameMissing, setNameMissing] = useState(false)
  const [text, setText] = useState('')
  const [fileProblem, setFileProblem] = useState<string>()
  // of the file as it came, while nobody has changed its text
  const [guessed, setGuessed] = useState<{ bytes: Uint8Array; encoding: Encoding }>()
  const [over, setOver] = useState(false)
  const [asked] = useDebouncedValue(text, PREVIEW_AFTER)
  // not the name that the lines give: it is in them
  const givenName = (typedName ?? fileName).trim()
  const [askedName] = useDebouncedValue(givenName, PREVIEW_AFTER)
  const preview = useQuery({
    ...importPreviewQuery(askedName, asked, under !== undefined),
    enabled: asked.trim() !== '',
  })
  const newTree = useImportTopics()
  const branch = useImportBranch(under?.treeId ?? '')
  const importing = under ? branch : newTree
  const importBranch = useMutateOnce(branch)
  const importTree = useMutateOnce(newTree)

  const empty = text.trim() === ''
  const found = empty ? undefined : preview.data
  // the name has its own field
  const problems = lineProblems(t, found?.errors.filter((error) => error.field !== 'name') ?? [])
  const current = asked === text && askedName === givenName && !preview.isPlaceholderData && preview.isSuccess
  const ready = !empty && current && problems.length === 0
  // while a line is wrong there is no tree: the last one stays in sight
  const [lastTree, setLastTree] = useState<TopicPreviewOut>()
  const tree = found && problems.length === 0 ? found : undefined
  if (tree && tree !== lastTree) setLastTree(tree)
  if (empty && lastTree) setLastTree(undefined)
  const shownTree = tree ?? (empty ? undefined : lastTree)
  const name = typedName ?? (shownTree?.root || fileName)

  const change = (next: string) => {
    setText(next)
    setGuessed(undefined)
    setFileProblem(undefined)
    onTyped(next !== '' || Boolean(typedName))
  }
  const converted = withHyphens(text)
  const convert = (list: string) => {
    const before = text
    change(list)
    showUndo({ message: t('topics:converted'), label: t('undo'), undo: () => change(before) })
    document.getElementById(`${id}-lines`)?.focus()
  }
  const readFile = async (file: File | null | undefined) => {
    resetFile.current?.()
    if (!file) return
    try {
      const bytes = new Uint8Array(await file.arrayBuffer())
      const found = decodeTextFile(bytes)
      const content = tidy(found.text)
      if (content.length > LONGEST) {
        setFileProblem(t('topics:fileTooLong', { limit: LONGEST }))
        return
      }
      if (content.includes('\0')) {
        setFileProblem(t('topics:fileFailed'))
        return
      }
      change(content)
      if (found.guessed) setGuessed({ bytes, encoding: found.guessed })
      setFileName(file.name.replace(/\.(txt|md)$/iu, ''))
    } catch (error) {
      console.info('The chosen file could not be read.', error)
      setFileProblem(t('topics:fileFailed'))
    }
  }
  const readAs = (encoding: Encoding) => {
    if (!guessed) return
    change(tidy(decodeAs(guessed.bytes, encoding)))
    setGuessed({ ...guessed, encoding })
  }
  const dragged = (event: DragEvent) => event.dataTransfer.types.includes('Files')
  const submit = () => {
    if (under) {
      importBranch({ topicId: under.topicId, text }, { onSuccess: () => onImported(under.treeId) })
      return
    }
    if (!name.trim()) {
      setNameMissing(true)
      document.getElementById(`${id}-name`)?.focus()
      return
    }
    importTree({ body: { name: name.trim(), text } }, { onSuccess: (tree) => onImported(tree.id) })
  }
  return (
    <form
      className="stack import-form"
      noValidate
      data-over={over || undefined}
      onDragEnter={(event) => dragged(event) && setOver(true)}
      onDragOver={(event) => {
        // without this the browser opens the file
        if (dragged(event)) event.preventDefault()
      }}
      onDragLeave={(event) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      }}
      onDrop={(event) => {
        if (!dragged(event)) return
        event.preventDefault()
        setOver(false)
        void readFile(event.dataTransfer.files[0])
      }}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {under ? (
        <p className="dialog-text">{t('topics:importUnderHint')}</p>
      ) : (
        <TextInput
          id={`${id}-name`}
          label={t('topics:name')}
          description={t(shownTree && !shownTree.root && !name.trim() ? 'topics:nameNeeded' : 'topics:nameHint')}
          data-autofocus
          maxLength={200}
          value={name}
          error={nameMissing && !name.trim() && t('validation.name')}
          onChange={(event) => {
            setTypedName(event.currentTarget.value)
            onTyped(event.currentTarget.value !== '' || text !== '')
          }}
        />
      )}
      {guessed && (
        <NativeSelect
          label={t('topics:encoding')}
          description={t('topics:encodingHint')}
          value={guessed.encoding}
          data={encodings.map((encoding) => ({ value: encoding, label: t(`topics:encodings.${encoding}`) }))}
          onChange={(event) => readAs(event.currentTarget.value as Encoding)}
        />
      )}
      <div className="import">
        <div className="import-lines">
          <div className="import-head">
            <label className="import-label" htmlFor={`${id}-lines`}>
              {t('topics:lines')}
            </label>
            <FileButton
              resetRef={resetFile}
              accept=".txt,.md,text/plain,text/markdown"
              onChange={(file) => void readFile(file)}
            >
              {(props) => (
                <Button {...props} size="compact-sm" variant="default" leftSection={<IconFileText size={15} aria-hidden />}>
                  {t('topics:chooseFile')}
                </Button>
              )}
            </FileButton>
          </div>
          <LineEditor
            id={`${id}-lines`}
            ref={editor}
            value={text}
            onChange={change}
            badLines={new Set(problems.map(({ line }) => line))}
            describedBy={`${id}-hint`}
            autoFocus={under !== undefined}
          />
        </div>
        <div className="import-side">
          <div className="import-label" id={`${id}-preview`}>
            {t('topics:preview')}
          </div>
          {converted !== undefined && (
            <div className="import-convert" role="region" aria-label={t('topics:convertTitle')}>
              <p>
                <strong>{t('topics:convertTitle')}</strong> {t('topics:convertText')}
              </p>
              {/* how it begins */}
              <pre>{shortList(converted)}</pre>
              <Button size="xs" onClick={() => convert(converted)}>
                {t('topics:convert')}
              </Button>
            </div>
          )}
          {problems.length > 0 && (
            <div className="import-bad" role="region" aria-label={t('topics:badLines', { count: problems.length })} tabIndex={0}>
              <BadLines problems={problems} onGoTo={(line) => editor.current?.goTo(line)} />
            </div>
          )}
          {preview.isError && <p className="import-note">{t('topics:previewFailed')}</p>}
          {shownTree ? (
            <>
              {!tree && problems.length > 0 && <p className="import-note">{t('topics:previewBefore')}</p>}
              <ImportPreview preview={shownTree} labelledBy={`${id}-preview`} />
            </>
          ) : (
            problems.length === 0 && !preview.isError && <p className="import-note">{t('topics:previewEmpty')}</p>
          )}
        </div>
      </div>
      <p className="import-hint" id={`${id}-hint`}>
        {t('topics:linesHint')}
      </p>
      <div role="alert">
        {problems[0] && <FirstProblem problem={problems[0]} onGoTo={(line) => editor.current?.goTo(line)} />}
        {fileProblem && <div className="form-errors">{fileProblem}</div>}
        {importing.error && (
          <div className="form-errors">
            {t('topics:importFailed')} {problemText(t, importing.error)}
          </div>
        )}
      </div>
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={!ready} loading={importing.isPending}>
          {ready ? t('topics:importCount', { count: found?.total ?? 0 }) : t('topics:import')}
        </Button>
      </div>
      {over && (
        <div className="import-drop" aria-hidden>
          {t('topics:dropFile')}
        </div>
      )}
    </form>
  )
}

const tidy = (text: string) => text.replace(/\r\n?/gu, '\n')

function BadLines({ problems, onGoTo }: { problems: readonly LineProblem[]; onGoTo: (line: number) => void }) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <>
      <p className="mid">{t('topics:badLines', { count: problems.length })}</p>
      <ol className="bad-lines">
        {problems.map(({ line, text }) => (
          <li key={`${line} ${text}`}>
            {line > 0 ? (
              <button type="button" onClick={() => onGoTo(line)}>
                {text}
              </button>
            ) : (
              text
            )}
          </li>
        ))}
      </ol>
    </>
  )
}

function FirstProblem({ problem, onGoTo }: { problem: LineProblem; onGoTo: (line: number) => void }) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <div className="import-err">
      <IconAlertCircle size={17} aria-hidden />
      <span className="grow">{problem.text}</span>
      {problem.line > 0 && (
        <Button size="xs" variant="default" onClick={() => onGoTo(problem.line)}>
          {t('topics:goToLine', { line: problem.line })}
        </Button>
      )}
    </div>
  )
}
