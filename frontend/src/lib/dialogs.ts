import { modals } from '@mantine/modals'

type Dialog = Parameters<typeof modals.open>[0]

let drawn = false
const waiting: (() => void)[] = []

/** Mark that the host of dialogs is on the page, and show the dialogs that were opened before. Return what undoes the mark. */
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

/** Open a dialog that has no place in a page. While something `isTyped` in it, no stray key or click closes it. */
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

/** Ask a question that has two answers. */
export const openQuestion = (question: Parameters<typeof modals.openConfirmModal>[0]): void =>
  whenDrawn(() => void modals.openConfirmModal(question))
