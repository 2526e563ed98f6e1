import { modals } from '@mantine/modals'

type Dialog = Parameters<typeof modals.open>[0]

let drawn = false
const waiting: (() => void)[] = []

/** Mark that the host of dialogs is on the page, and show the dialogs opened before. Return the undo function. */
export function markDialogsReady(): () => void {
  drawn = true
  for (const open of waiting.splice(0)) open()
  return () => {
    drawn = false
  }
}

function whenDrawn(open: () => void) {
  if (drawn) open()
  else waiting.push(open)
}

/** Open a dialog over the page. After `isTyped(true)`, Escape and clicks outside no longer close it. */
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

/** Open a dialog with a question and two answers. */
export const openQuestion = (question: Parameters<typeof modals.openConfirmModal>[0]): void =>
  whenDrawn(() => void modals.openConfirmModal(question))
