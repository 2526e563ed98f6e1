import { modals } from '@mantine/modals'

type Dialog = Parameters<typeof modals.open>[0]

let drawn = false
let asked = false
const waiting: (() => void)[] = []
const listeners = new Set<() => void>()

/** For what draws dialogs (app/messages.tsx): it is there. */
export function dialogsAreDrawn(): () => void {
  drawn = true
  for (const open of waiting.splice(0)) open()
  return () => {
    drawn = false
  }
}

/** For who loads that (app/later-messages.tsx): whether somebody waits for it. */
export const isDialogAsked = (): boolean => asked

export function watchDialogs(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/**
 * Opens a dialog that has no place in a page, as soon as what draws it is loaded. While something `isTyped` in it, no
 * stray key or click closes it.
 */
export function openDialog(make: (close: () => void, isTyped: (typed: boolean) => void) => Dialog): void {
  whenDrawn(() => {
    const id = modals.open(
      make(
        () => modals.close(id),
        (typed) => modals.updateModal({ modalId: id, closeOnEscape: !typed, closeOnClickOutside: !typed }),
      ),
    )
  })
}

/** Asks a question that has two answers. */
export const openQuestion = (question: Parameters<typeof modals.openConfirmModal>[0]): void =>
  whenDrawn(() => void modals.openConfirmModal(question))

function whenDrawn(open: () => void) {
  if (drawn) return open()
  waiting.push(open)
  asked = true
  listeners.forEach((listener) => listener())
}
