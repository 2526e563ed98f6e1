import { defaultKeymap, history, historyKeymap, isolateHistory, redo, undo } from '@codemirror/commands'
import { markdownKeymap, markdownLanguage } from '@codemirror/lang-markdown'
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, Transaction, type ChangeSpec } from '@codemirror/state'
import { EditorView, keymap, placeholder as placeholderText } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useEffectEvent, useImperativeHandle, useRef, type Ref } from 'react'
import type { MakeEdit } from './markdown-edits'
import type { TextFieldProps, TextHandle } from './text-handle'

/** Colours are those of the app, which follow its scheme. */
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

const BELOW_TOOLS = 200 // px that the head of the page and the tools cover

/** Where long texts in Markdown are written. */
export function MarkdownEditor(props: TextFieldProps & { ref: Ref<TextHandle> }) {
  const { value, onChange, label, placeholder, describedBy, isWrong, isBusy, language, keys, caret, ref } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(null)
  const said = useRef<Compartment>(null)
  const first = useRef(value)
  const changed = useEffectEvent(onChange)
  const keyed = useEffectEvent((key: string) => {
    const make = keys[key]
    if (make) edit(make)
    return Boolean(make)
  })
  const words = () => [
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
  const firstWords = useEffectEvent(words)

  useEffect(() => {
    const parent = place.current
    if (!parent) return
    const doc = first.current
    const selected = caret.current
    const compartment = new Compartment()
    const made = new EditorView({
      parent,
      state: EditorState.create({
        doc,
        selection: selected && { anchor: Math.min(selected[0], doc.length), head: Math.min(selected[1], doc.length) },
        extensions: [
          history(),
          // ours first: one of the usual keys is another one's
          keymap.of(['b', 'i', 'k'].map((key) => ({ key: `Mod-${key}`, run: () => keyed(key) }))),
          keymap.of([...markdownKeymap, ...defaultKeymap, ...historyKeymap]),
          markdownLanguage,
          syntaxHighlighting(looks),
          EditorView.lineWrapping,
          theme,
          compartment.of(firstWords()),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed(update.state.doc.toString())
          }),
        ],
      }),
    })
    view.current = made
    said.current = compartment
    if (selected) made.focus()
    caret.current = undefined
    return () => {
      first.current = made.state.doc.toString()
      made.destroy()
      view.current = null
    }
  }, [caret])

  useEffect(() => {
    view.current?.dispatch({ effects: said.current?.reconfigure(words()) })
    // eslint-disable-next-line react-hooks/exhaustive-deps -- `words` is made of these
  }, [label, placeholder, describedBy, isWrong, isBusy, language])

  // what was changed elsewhere, such as by an undo of the page
  useEffect(() => {
    const shown = view.current?.state.doc.toString()
    if (shown !== undefined && shown !== value) view.current?.dispatch({ changes: changeOf(shown, value) })
  }, [value])

  function edit(make: MakeEdit) {
    const { current } = view
    if (!current || current.state.readOnly) return
    const { from: start, to: end } = current.state.selection.main
    const { from, to, insert, select } = make(current.state.doc.toString(), start, end)
    current.dispatch({
      changes: { from, to, insert },
      selection: { anchor: select[0], head: select[1] },
      scrollIntoView: true,
      userEvent: 'input',
    })
    current.focus()
  }
  useImperativeHandle(ref, () => ({
    edit,
    undo: () => {
      if (view.current) undo(view.current)
      view.current?.focus()
    },
    redo: () => {
      if (view.current) redo(view.current)
      view.current?.focus()
    },
    put: (text, asStep) =>
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
  return <div className="article-code" ref={place} />
}

/** Only what differs is replaced, so that the caret stays. */
function changeOf(shown: string, text: string): ChangeSpec {
  const shorter = Math.min(shown.length, text.length)
  let start = 0
  while (start < shorter && shown[start] === text[start]) start += 1
  let end = 0
  while (end < shorter - start && shown.at(-1 - end) === text.at(-1 - end)) end += 1
  return { from: start, to: shown.length - end, insert: text.slice(start, text.length - end) }
}
