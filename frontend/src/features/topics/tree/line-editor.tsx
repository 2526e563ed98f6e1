import { useImperativeHandle, useRef, useState, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { lineRange } from '@/features/topics/import/import-lines'

const LINE = 28 // px, as in the styles
const MARGIN = 5 // lines drawn above and below what is in view

export interface LineEditorHandle {
  /** Select a line, from 1, and scroll to it. */
  goTo: (line: number) => void
}

interface LineEditorProps {
  id: string
  value: string
  onChange: (text: string) => void
  badLines: ReadonlySet<number>
  describedBy: string
  autoFocus?: boolean
  ref: Ref<LineEditorHandle>
}

/** A plain text area; behind it the numbers and colours of the lines in view. */
export function LineEditor({ id, value, onChange, badLines, describedBy, autoFocus = false, ref }: LineEditorProps) {
  const { t } = useTranslation(['common', 'topics'])
  const area = useRef<HTMLTextAreaElement>(null)
  const [view, setView] = useState({ top: 0, left: 0, height: 400 })
  useImperativeHandle(ref, () => ({
    goTo: (line) => {
      if (!area.current) return
      area.current.focus()
      area.current.setSelectionRange(...lineRange(value, line))
      area.current.scrollTop = Math.max(0, (line - 3) * LINE)
    },
  }))
  const lines = value.split('\n')
  const first = Math.max(0, Math.floor(view.top / LINE) - MARGIN)
  const shown = lines.slice(first, Math.ceil((view.top + view.height) / LINE) + MARGIN)
  return (
    <div className="lines">
      <div className="lines-layer" aria-hidden="true" style={{ transform: `translateY(${first * LINE - view.top}px)` }}>
        {shown.map((text, index) => {
          const [, hyphens = '', title = ''] = /^(\s*-*)(.*)$/su.exec(text) ?? []
          const number = first + index + 1
          return (
            <div key={number} className="line" data-bad={badLines.has(number) || undefined}>
              <i>{number}</i>
              <span style={{ transform: `translateX(${-view.left}px)` }}>
                <b>{hyphens}</b>
                {title}
              </span>
            </div>
          )
        })}
      </div>
      <textarea
        ref={area}
        id={id}
        className="lines-area"
        value={value}
        wrap="off"
        spellCheck={false}
        data-autofocus={autoFocus || undefined}
        placeholder={t('topics:example')}
        aria-describedby={describedBy}
        aria-invalid={badLines.size > 0 || undefined}
        onChange={(event) => onChange(event.currentTarget.value)}
        onScroll={({ currentTarget }) =>
          setView({ top: currentTarget.scrollTop, left: currentTarget.scrollLeft, height: currentTarget.clientHeight })
        }
      />
    </div>
  )
}
