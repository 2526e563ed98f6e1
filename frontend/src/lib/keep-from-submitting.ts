import type { KeyboardEvent } from 'react'

/** For a form that sends something out: Enter in one of its fields does not submit it, only a press of its button does. */
export function keepFromSubmitting(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, key, currentTarget } = event
  // a dialog that is opened from the form has a form of its own
  if (key === 'Enter' && target instanceof HTMLInputElement && target.form === currentTarget) event.preventDefault()
}
