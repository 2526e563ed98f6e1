/** Scroll to the notice above the form: the form is long, and its save button may be far below. */
export const showNotice = (root: HTMLElement | null) =>
  root?.querySelector('.banner, .form-errors')?.scrollIntoView({ block: 'center' })

/** Return the field of that path. Fields of Mantine's form carry their path; a group of inputs has its path on the group. */
function fieldAt(root: HTMLElement | null, path: string) {
  const name = CSS.escape(path)
  return root?.querySelector<HTMLElement>(`[data-path="${name}"], [data-field="${name}"]`) ?? null
}

function unfold(field: HTMLElement | null) {
  const folded = field?.closest('details')
  if (folded) folded.open = true
}

/** Open the collapsed parts around the field with that path. */
export const unfoldAround = (root: HTMLElement | null, path: string): void => unfold(fieldAt(root, path))

/** Focus the field with that path and scroll to it. */
export function focusPath(root: HTMLElement | null, path: string | undefined): void {
  if (!root || !path) return
  const field = fieldAt(root, path)
  unfold(field)
  const input = field?.matches('input, textarea, button') ? field : field?.querySelector<HTMLElement>('input, textarea, button, a')
  input?.focus()
  field?.scrollIntoView({ block: 'center' })
}
