const AT_MOST = 700 // ms: a closing dialog keeps the focus until it has faded out, and then may lose it

/**
 * Focus `target` if the next renders remove the focused element. Check for up to 700 ms, because the focus may be lost
 * late; do nothing while any other element has it.
 */
export function keepFocus(target: () => HTMLElement | null | undefined): void {
  const until = performance.now() + AT_MOST
  const check = () => {
    if (document.activeElement === document.body || document.activeElement === null) target()?.focus()
    else if (performance.now() < until) requestAnimationFrame(check)
  }
  requestAnimationFrame(check)
}
