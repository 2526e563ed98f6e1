import { UnstyledButton } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { TemplateInSchema } from '@/api/schemas.gen'
import type { TemplateCheckOut, TemplateType } from '@/api/types.gen'
import { indexOf, OFFERED, positionOf, rangeOf, segmentsOf } from '@/lib/template-segments'
import { PromptLength } from './prompt-length'
import { TemplateErrors } from './template-errors'

export interface BodyEditorHandle {
  /** Select the first place of a variable in the text, and bring it into view. */
  showVariable: (name: string) => void
  focus: () => void
}

const LONGEST = TemplateInSchema.properties.body.maxLength

interface BodyEditorProps {
  /** The template's type. A text template has no variable for the content, which does not exist yet. */
  type: TemplateType
  value: string
  onChange: (body: string) => void
  onBlur: () => void
  /** The server's check of the text; undefined until its first response. */
  check: TemplateCheckOut | undefined
  /** Why the text can't be saved. Errors of the check are listed instead. */
  error?: ReactNode
  ref: Ref<BodyEditorHandle>
}

/** A plain text area; a layer behind it draws the same text with its variables in colour. */
export function BodyEditor({ type, value, onChange, onBlur, check, error, ref }: BodyEditorProps) {
  const { t } = useTranslation(['common', 'templates'])
  const hint = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  // before the first focus, the browser reports the caret at the start
  const entered = useRef(false)
  const select = (start: number, end: number) => {
    area.current?.focus()
    area.current?.setSelectionRange(start, end)
    area.current?.closest('.code')?.scrollIntoView({ block: 'nearest' })
  }
  useImperativeHandle(ref, () => ({
    showVariable: (name) => {
      const range = rangeOf(value, name)
      if (range) select(...range)
    },
    focus: () => area.current?.focus(),
  }))
  const goTo = (line: number, column: number) => {
    const start = indexOf(value, line, column)
    select(start, start + 2)
  }
  const problems = check?.errors ?? []
  const shownError = problems.length === 0 && error

  const insert = (name: string) => {
    const atEnd = { selectionStart: value.length, selectionEnd: value.length }
    const { selectionStart: start, selectionEnd: end } = (entered.current && area.current) || atEnd
    const text = `((${name}))`
    area.current?.focus()
    area.current?.setSelectionRange(start, end)
    // inserted as if typed, so that the browser's undo reverts it
    if (typeof document.execCommand === 'function' && document.execCommand('insertText', false, text)) return
    onChange(value.slice(0, start) + text + value.slice(end))
    // after the new text is in the field
    requestAnimationFrame(() => select(start + text.length, start + text.length))
  }
  return (
    <section className="panel code">
      <div className="code-head">
        <label htmlFor={`${hint}-area`}>{t('templates:body')}</label>
        <span className="dim num" aria-hidden="true">
          {t('templates:position', positionOf(value, Math.min(caret, value.length)))}
        </span>
      </div>
      <div className="code-body">
        <div className="code-layer" aria-hidden="true">
          <Highlighted body={value} />
          {'\n'}
        </div>
        <textarea
          id={`${hint}-area`}
          ref={area}
          className="code-area"
          value={value}
          maxLength={LONGEST}
          spellCheck={false}
          aria-describedby={hint}
          aria-invalid={Boolean(shownError) || undefined}
          onChange={(event) => {
            setCaret(event.currentTarget.selectionStart)
            onChange(event.currentTarget.value)
          }}
          onSelect={(event) => setCaret(event.currentTarget.selectionStart)}
          onFocus={() => {
            entered.current = true
          }}
          onBlur={onBlur}
        />
      </div>
      <p className="code-hint" id={hint}>
        {shownError ? <span className="code-error">{shownError}</span> : t('templates:bodyHint')}
      </p>
      <PromptLength body={value} limit={LONGEST} check={check} />
      <TemplateErrors errors={problems} onGoTo={goTo} />
      <InsertButtons type={type} onInsert={insert} />
    </section>
  )
}

function Highlighted({ body }: { body: string }) {
  return segmentsOf(body).map(({ kind, text }, index) =>
    kind === 'text' ? (
      text
    ) : (
      <mark key={index} data-kind={kind}>
        {text}
      </mark>
    ),
  )
}

/** A button for each variable that Postloom fills in. */
function InsertButtons({ type, onInsert }: { type: TemplateType; onInsert: (name: string) => void }) {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <div className="code-foot" role="group" aria-label={t('templates:insert')}>
      <span className="dim" aria-hidden="true">
        {t('templates:insert')}
      </span>
      {OFFERED.filter((name) => type === 'image' || name !== 'Content').map((name) => (
        <UnstyledButton
          key={name}
          className="var"
          aria-label={t('templates:insertVariable', { name })}
          onClick={() => onInsert(name)}
        >
          {name}
        </UnstyledButton>
      ))}
    </div>
  )
}
