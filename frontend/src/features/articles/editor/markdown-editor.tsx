import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands'
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, Transaction, type ChangeSpec } from '@codemirror/state'
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, useState, type Ref, type RefObject } from 'react'
import type { MakeEdit } from './markdown-edits'
import type { TextFieldProps, TextHandle } from './text-handle'

/** The colours of the app, which follow its colour scheme. */
const theme = EditorView.theme({
  '&': { background: 'transparent', color: 'var(--pl-text)', fontSize: '15px' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family)', lineHeight: '1.6' },
  '.cm-content': { minHeight: '52vh', padding: '14px 0', caretColor: 'var(--pl-text)' },
  '.cm-line': { padding: '0 18px' },
  '.cm-placeholder': { color: 'var(--mantine-color-placeholder)' },
  '@media (pointer: coarse)': { '&': { fontSize: '16px' } },
})

const heading = { fontWeight: '650', fontFamily: 'var(--mantine-font-family-headings)' }
const mark = { color: 'var(--pl-text-3)' }
const looks = HighlightStyle.define([
  { tag: tags.heading1, ...heading, fontSize: '1.35em' },
  { tag: tags.heading2, ...heading, fontSize: '1.25em' },
  { tag: tags.heading3, ...heading, fontSize: '1.1em' },
  { tag: [tags.heading4, tags.heading5, tags.heading6], ...heading },
  { tag: tags.strong, fontWeight: '650' },
  { tag: tags.emphasis, fontStyle: 'italic' },
  { tag: tags.strikethrough, textDecoration: 'line-through' },
  { tag: [tags.link, tags.url], color: 'var(--mantine-color-anchor)' },
  { tag: tags.monospace, fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.92em' },
  { tag: tags.quote, color: 'var(--pl-text-2)' },
  { tag: [tags.processingInstruction, tags.contentSeparator, tags.labelName], ...mark },
])

const BELOW_TOOLS = 200 // px covered by the page's header and the tools

/** The editor of long texts in Markdown. */
export function MarkdownEditor({ value, onChange, keys, caret: caretRef, ref, ...field }: TextFieldProps & { ref: Ref<TextHandle> }) {
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const firstValue = useRef(value)
  const onText = useEffectEvent(onChange)
  const onKey = useEffectEvent((key: string) => {
    const make = keys[key]
    if (make && view.current) applyEdit(view.current, make)
    return Boolean(make)
  })
  const [attributes] = useState(() => new Compartment())

  useEffect(() => {
    const parent = place.current
    if (!parent) return
    const doc = firstValue.current
    const selected = caretRef.current
    const editorView = new EditorView({
      parent,
      state: EditorState.create({
        doc,
        selection: selected && { anchor: Math.min(selected[0], doc.length), head: Math.min(selected[1], doc.length) },
        extensions: [
          history(),
          // before the default keys, one of which has another meaning
          keymap.of(['b', 'i', 'k'].map((key) => ({ key: `Mod-${key}`, run: () => onKey(key) }))),
          keymap.of([...markdownKeymap, ...defaultKeymap, ...historyKeymap]),
          markdownLanguage,
          syntaxHighlighting(looks),
          EditorView.lineWrapping,
          theme,
          attributes.of([]),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) onText(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = editorView
    if (selected) editorView.focus()
    caretRef.current = undefined
    return () => {
      firstValue.current = editorView.state.doc.toString()
      editorView.destroy()
      view.current = null
    }
  }, [caretRef, attributes])

  useFieldAttributes(view, attributes, field)
  // changed outside of the editor, such as by an undo of the page
  useEffect(() => {
    const shown = view.current?.state.doc.toString()
    if (shown !== undefined && shown !== value) view.current?.dispatch({ changes: changeOf(shown, value) })
  }, [value])
  useTextHandle(ref, view)
  return <div className="article-code" ref={place} />
}

/** Keep the label and the state of the text field up to date. `attributes`: the part of the view that has them. */
function useFieldAttributes(
  view: RefObject<EditorView | null>,
  attributes: Compartment,
  { label, placeholder, describedBy, isWrong, isBusy, language }: Omit<TextFieldProps, 'value' | 'onChange' | 'keys' | 'caret'>,
): void {
  useEffect(() => {
    const field = [
      placeholderText(placeholder),
      EditorState.readOnly.of(isBusy),
      EditorView.contentAttributes.of({
        'aria-label': label,
        ...(describedBy && { 'aria-describedby': describedBy }),
        ...(isWrong && { 'aria-invalid': 'true' }),
        ...(isBusy && { 'aria-readonly': 'true', 'aria-busy': 'true' }),
        lang: language,
        spellcheck: 'true',
        autocapitalize: 'sentences',
        autocorrect: 'on',
      }),
    ]
    view.current?.dispatch({ effects: attributes.reconfigure(field) })
  }, [view, attributes, label, placeholder, describedBy, isWrong, isBusy, language])
}

function useTextHandle(ref: Ref<TextHandle>, view: RefObject<EditorView | null>): void {
  useImperativeHandle(ref, () => ({
    edit: (make) => view.current && applyEdit(view.current, make),
    undo: () => {
      if (view.current) undo(view.current)
      view.current?.focus()
    },
    redo: () => {
      if (view.current) redo(view.current)
      view.current?.focus()
    },
    replace: (text, asStep) =>
      view.current?.dispatch({
        changes: changeOf(view.current.state.doc.toString(), text),
        annotations: asStep ? isolateHistory.of('full') : Transaction.addToHistory.of(false),
      }),
    selected: () => {
      const { from = 0, to = 0 } = view.current?.state.selection.main ?? {}
      return [from, to]
    },
    reveal: (at) =>
      view.current?.dispatch({
        effects: EditorView.scrollIntoView(Math.min(at, view.current.state.doc.length), { y: 'start', yMargin: BELOW_TOOLS }),
      }),
  }))
}

function applyEdit(view: EditorView, make: MakeEdit): void {
  if (view.state.readOnly) return
  const { from: start, to: end } = view.state.selection.main
  const { from, to, insert, select } = make(view.state.doc.toString(), start, end)
  view.dispatch({
    changes: { from, to, insert },
    selection: { anchor: select[0], head: select[1] },
    scrollIntoView: true,
    userEvent: 'input',
  })
  view.focus()
}

/** Return the change from one text to another that replaces only what differs, so that the caret stays. */
function changeOf(shown: string, text: string): ChangeSpec {
  const shorter = Math.min(shown.length, text.length)
  let start = 0
  while (start < shorter && shown[start] === text[start]) start += 1
  let end = 0
  while (end < shorter - start && shown.at(-1 - end) === text.at(-1 - end)) end += 1
  return { from: start, to: shown.length - end, insert: text.slice(start, text.length - end) }
}
