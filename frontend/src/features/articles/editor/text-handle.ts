import type { RefObject } from 'react'
import type { MakeEdit } from './markdown-edits'

/** The commands on a text from outside its field. */
export interface TextHandle {
  edit: (make: MakeEdit) => void
  undo: () => void
  redo: () => void
  /** Replace the text. `asStep`: as one step in the undo history, else outside of it. */
  replace: (text: string, asStep: boolean) => void
  /** Return the selection, also while another element has the focus. */
  selected: () => Caret
  /** Scroll a position into view, if the field can. */
  reveal?: (at: number) => void
}

/** The selection in a field. */
export type Caret = readonly [start: number, end: number]

export interface TextFieldProps {
  value: string
  onChange: (text: string) => void
  label: string
  placeholder: string
  /** Ids of the elements that describe the field. */
  describedBy?: string
  isWrong: boolean
  language: string
  /** A writer is writing in the field. */
  isBusy: boolean
  /** The edits of letters with Ctrl or ⌘. */
  keys: Readonly<Record<string, MakeEdit>>
  /** The selection that one field passes to the field that replaces it. */
  caret: RefObject<Caret | undefined>
}
