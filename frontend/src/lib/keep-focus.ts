/** Once a change is drawn: where the focus goes if that took away what had it. */
export function keepFocus(target: () => HTMLElement | null | undefined): void {
  requestAnimationFrame(() => {
    if (document.activeElement === document.body || document.activeElement === null) target()?.focus()
  })
}
