const AT_MOST = 700 // ms: a dialog that closes meanwhile keeps the focus until it has faded, and gives it back to nothing

/**
 * Once a change is drawn: where the focus goes if that took away what had it. Looks on for a moment, since it may be
 * lost only then; a focus that is anywhere else is left alone.
 */
export function keepFocus(target: () => HTMLElement | null | undefined): void {
  const until = performance.now() + AT_MOST
  const look = () => {
    if (document.activeElement === document.body || document.activeElement === null) target()?.focus()
    else if (performance.now() < until) requestAnimationFrame(look)
  }
  requestAnimationFrame(look)
}
