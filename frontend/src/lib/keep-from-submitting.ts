import type { KeyboardEvent } from 'react'

/** Prevent Enter in a field from submitting a form that publishes; only its button submits. */
export function keepFromSubmitting(event: KeyboardEvent<HTMLFormElement>): void {
  const { target, key, currentTarget } = event
  // a dialog opened from the form has its own form
  if (key === 'Enter' && target instanceof HTMLInputElement && target.form === currentTarget) event.preventDefault()
}
