const READ_WITHIN = 60_000 // ms: the browser may ask a person where to put it first

/** Has the browser save it as a download. What no file name may hold becomes a hyphen. */
export function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = document.createElement('a')
  link.href = url
  link.download = name.replace(/[\\/:*?"<>|]/gu, '-')
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN)
}
