import { Button, FileButton, NativeSelect, TextInput } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { IconAlertCircle, IconFileText } from '@tabler/icons-react'
import { useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { TopicImportInSchema } from '@/api/schemas.gen'
import { FormModal } from '@/components/form-modal'
import { showUndo } from '@/components/undo'
import { useImportBranch, useImportTopics } from '@/features/topics/api'
import '@/features/topics/topics.css'
import { LineEditor, type LineEditorHandle } from '@/features/topics/tree/line-editor'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText, type Problem } from '@/lib/problems'
import { encodings, type Encoding } from '@/lib/text-file'
import type { LineProblem } from './import-lines'
import { ImportSide } from './import-side'
import { useFileDrop, useImportFile } from './use-import-file'
import { useLinesPreview } from './use-lines-preview'

/** The topic that the imported lines become children of. */
export interface ImportTarget {
  treeId: string
  topicId: string
  title: string
}

interface ImportDialogProps {
  opened: boolean
  /** Absent for a new tree. */
  under?: ImportTarget
  onClose: () => void
  /** Called with the id of the tree that has the topics now. */
  onImported: (treeId: string) => void
}

export function ImportDialog({ opened, under, onClose, onImported }: ImportDialogProps) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={
        <span className="clip-2">
          {under ? t('topics:importUnder', { title: under.title }) : t('topics:import')}
        </span>
      }
      size={860}
    >
      {(close, onTyped) => <ImportForm under={under} onTyped={onTyped} onCancel={close} onImported={onImported} />}
    </FormModal>
  )
}

interface ImportFormProps {
  under: ImportTarget | undefined
  onTyped: (typed: boolean) => void
  onCancel: () => void
  onImported: (treeId: string) => void
}

function ImportForm({ under, onTyped, onCancel, onImported }: ImportFormProps) {
  const { t } = useTranslation(['common', 'topics'])
  const id = useId()
  const editor = useRef<LineEditorHandle>(null)
  const [typedName, setTypedName] = useState<string>()
  const [fileName, setFileName] = useState('')
  const [nameMissing, setNameMissing] = useState(false)
  const [text, setText] = useState('')
  // a name that only the lines give is left out, because the server reads it from the lines
  const preview = useLinesPreview(text, (typedName ?? fileName).trim(), under !== undefined)
  const { tree, problems, isReady } = preview
  const name = typedName ?? (tree?.root || fileName)

  const changeText = (next: string) => {
    setText(next)
    onTyped(next !== '' || Boolean(typedName))
  }
  const file = useImportFile({ onText: changeText, onName: setFileName })
  const drop = useFileDrop((dropped) => void file.read(dropped))
  const editText = (next: string) => {
    file.forget()
    changeText(next)
  }
  const convert = (list: string) => {
    editText(list)
    showUndo({ message: t('topics:converted'), label: t('undo'), undo: () => editText(text) })
    document.getElementById(`${id}-lines`)?.focus()
  }

  const { importLines, error, isPending } = useImport(under, onImported)
  const submit = () => {
    if (under || name.trim()) return importLines(name.trim(), text)
    setNameMissing(true)
    document.getElementById(`${id}-name`)?.focus()
  }
  const goTo = (line: number) => editor.current?.goTo(line)
  return (
    <form
      className="stack import-form"
      noValidate
      data-over={drop.isOver || undefined}
      {...drop.handlers}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {under ? (
        <p className="dialog-text">{t('topics:importUnderHint')}</p>
      ) : (
        <NameField
          id={`${id}-name`}
          value={name}
          isNeeded={tree !== undefined && !tree.root}
          isMissing={nameMissing}
          onChange={(next) => {
            setTypedName(next)
            onTyped(next !== '' || text !== '')
          }}
        />
      )}
      {file.guessedEncoding && <EncodingSelect value={file.guessedEncoding} onChange={file.readAs} />}
      <div className="import">
        <div className="import-lines">
          <LinesHead fieldId={`${id}-lines`} onChoose={(chosen) => void file.read(chosen)} />
          <LineEditor
            id={`${id}-lines`}
            ref={editor}
            value={text}
            onChange={editText}
            badLines={new Set(problems.map(({ line }) => line))}
            describedBy={`${id}-hint`}
            autoFocus={under !== undefined}
          />
        </div>
        <ImportSide id={`${id}-preview`} text={text} preview={preview} onConvert={convert} onGoTo={goTo} />
      </div>
      <p className="import-hint" id={`${id}-hint`}>
        {t('topics:linesHint')}
      </p>
      <ImportProblems atLine={problems[0]} ofFile={file.problem} ofImport={error} onGoTo={goTo} />
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={!isReady} loading={isPending}>
          {isReady ? t('topics:importCount', { count: preview.total }) : t('topics:import')}
        </Button>
      </div>
      {drop.isOver && (
        <div className="import-drop" aria-hidden>
          {t('topics:dropFile')}
        </div>
      )}
    </form>
  )
}

interface NameFieldProps {
  id: string
  value: string
  /** The lines have no single topic at the top that would be the name. */
  isNeeded: boolean
  /** The form was submitted without a name. */
  isMissing: boolean
  onChange: (name: string) => void
}

/** The name of a new tree. */
function NameField({ id, value, isNeeded, isMissing, onChange }: NameFieldProps) {
  const { t } = useTranslation(['common', 'topics'])
  const isEmpty = !value.trim()
  return (
    <TextInput
      id={id}
      label={t('topics:name')}
      description={t(isNeeded && isEmpty ? 'topics:nameNeeded' : 'topics:nameHint')}
      data-autofocus
      maxLength={TopicImportInSchema.properties.name.maxLength}
      value={value}
      error={isMissing && isEmpty && t('validation.name')}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

/** Return what imports lines as children of the topic `under`, else as a new tree. */
function useImport(under: ImportTarget | undefined, onImported: (treeId: string) => void) {
  const tree = useImportTopics()
  const branch = useImportBranch(under?.treeId ?? '')
  const importTree = useMutateOnce(tree)
  const importBranch = useMutateOnce(branch)
  const { error, isPending } = under ? branch : tree
  const importLines = (name: string, text: string) => {
    if (under) importBranch({ topicId: under.topicId, text }, { onSuccess: () => onImported(under.treeId) })
    else importTree({ body: { name, text } }, { onSuccess: ({ id }) => onImported(id) })
  }
  return { importLines, error, isPending }
}

/** The encoding of a file whose bytes do not tell it. */
function EncodingSelect({ value, onChange }: { value: Encoding; onChange: (encoding: Encoding) => void }) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <NativeSelect
      label={t('topics:encoding')}
      description={t('topics:encodingHint')}
      value={value}
      data={encodings.map((encoding) => ({ value: encoding, label: t(`topics:encodings.${encoding}`) }))}
      onChange={(event) => onChange(event.currentTarget.value as Encoding)}
    />
  )
}

/** The label of the field with the lines, and the button that fills it from a file. */
function LinesHead({ fieldId, onChoose }: { fieldId: string; onChoose: (file: File | null) => void }) {
  const { t } = useTranslation(['common', 'topics'])
  const reset = useRef<() => void>(null)
  return (
    <div className="import-head">
      <label className="import-label" htmlFor={fieldId}>
        {t('topics:lines')}
      </label>
      <FileButton
        resetRef={reset}
        accept=".txt,.md,text/plain,text/markdown"
        onChange={(file) => {
          // the same file can be chosen again
          reset.current?.()
          onChoose(file)
        }}
      >
        {(props) => (
          <Button {...props} size="compact-sm" variant="default" leftSection={<IconFileText size={15} aria-hidden />}>
            {t('topics:chooseFile')}
          </Button>
        )}
      </FileButton>
    </div>
  )
}

interface ImportProblemsProps {
  atLine: LineProblem | undefined
  ofFile: ReactNode
  ofImport: Problem | null
  onGoTo: (line: number) => void
}

function ImportProblems({ atLine, ofFile, ofImport, onGoTo }: ImportProblemsProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  return (
    <div role="alert">
      {atLine && <FirstProblem problem={atLine} onGoTo={onGoTo} />}
      {ofFile && <div className="form-errors">{ofFile}</div>}
      {ofImport && (
        <div className="form-errors">
          {t('topics:importFailed')} {problemText(t, ofImport)}
        </div>
      )}
    </div>
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
