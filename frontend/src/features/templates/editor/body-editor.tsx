import { UnstyledButton } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { useImperativeHandle, useRef, useState, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { TemplateInSchema } from '@/api/schemas.gen'
import type { TemplateCheckOut, TemplateType } from '@/api/types.gen'
import { positionOf, RESERVED, segmentsOf } from '@/lib/template-segments'
import { PromptLength } from './prompt-length'

export interface BodyEditorHandle {
  /** Selects a part of the text and brings it into view. */
  select: (start: number, end: number) => void
  focus: () => void
}

const LONGEST = TemplateInSchema.properties.body.maxLength

interface BodyEditorProps {
  /** Of the template: a text is written before there is any content. */
  type: TemplateType
  value: string
  onChange: (body: string) => void
  onBlur: () => void
  /** What the server says of it; missing until its first answer. */
  check: TemplateCheckOut | undefined
  /** Why it can't be saved. */
  error?: ReactNode
  /** Stands between the text and the insert buttons. */
  children?: ReactNode
  ref: Ref<BodyEditorHandle>
}

/** A plain text area; a layer behind it draws the same text with its variables in colour. */
export function BodyEditor({ type, value, onChange, onBlur, check, error, children, ref }: BodyEditorProps) {
  const { t } = useTranslation(['common', 'templates'])
  const hint = useId()
  const area = useRef<HTMLTextAreaElement>(null)
  const [caret, setCaret] = useState(0)
  // before that the browser has its caret at the front, where nobody has put it
  const entered = useRef(false)
  const select = (start: number, end: number) => {
    area.current?.focus()
    area.current?.setSelectionRange(start, end)
    area.current?.closest('.code')?.scrollIntoView({ block: 'nearest' })
  }
  useImperativeHandle(ref, () => ({ select, focus: () => area.current?.focus() }))

  const insert = (name: string) => {
    const atEnd = { selectionStart: value.length, selectionEnd: value.length }
    const { selectionStart: start, selectionEnd: end } = (entered.current && area.current) || atEnd
    const text = `((${name}))`
    area.current?.focus()
    area.current?.setSelectionRange(start, end)
    // typed as if by hand, so that the browser's own undo takes it back
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
          {segmentsOf(value).map((segment, index) =>
            segment.kind === 'text' ? (
              segment.text
            ) : (
              <mark key={index} data-kind={segment.kind}>
                {segment.text}
              </mark>
            ),
          )}
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
          aria-invalid={Boolean(error) || undefined}
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
        {error ? <span className="code-error">{error}</span> : t('templates:bodyHint')}
      </p>
      <PromptLength body={value} limit={LONGEST} check={check} />
      {children}
      <div className="code-foot" role="group" aria-label={t('templates:insert')}>
        <span className="dim" aria-hidden="true">
          {t('templates:insert')}
        </span>
        {RESERVED.filter((name) => type === 'image' || name !== 'Content').map((name) => (
          <UnstyledButton
            key={name}
            className="var"
            aria-label={t('templates:insertVariable', { name })}
            onClick={() => insert(name)}
          >
            {name}
          </UnstyledButton>
        ))}
      </div>
    </section>
  )
}
