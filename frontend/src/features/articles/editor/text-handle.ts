import type { RefObject } from 'react'
import type { MakeEdit } from './markdown-edits'

/** What is done to a text from outside of its field, whichever field that is. */
export interface TextHandle {
  edit: (make: MakeEdit) => void
  undo: () => void
  redo: () => void
  /** The text becomes this one. `asStep`: one undo takes all of it back; else no undo knows of it. */
  put: (text: string, asStep: boolean) => void
  /** What is selected, also where the focus has gone since. */
  selected: () => Caret
  /** That place comes into view, where the field can do that. */
  reveal?: (at: number) => void
}

/** What is selected in a field. */
export type Caret = readonly [start: number, end: number]

export interface TextFieldProps {
  value: string
  onChange: (text: string) => void
  label: string
  placeholder: string
  /** Ids of what is said of it. */
  describedBy?: string
  isWrong: boolean
  language: string
  /** Somebody else writes in it. */
  isBusy: boolean
  /** What a combination of Ctrl or ⌘ and a letter does. */
  keys: Readonly<Record<string, MakeEdit>>
  /** Left by the field that goes for the one that comes in its place, so that nobody loses their line. */
  caret: RefObject<Caret | undefined>
}
