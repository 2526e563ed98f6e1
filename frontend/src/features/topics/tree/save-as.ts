import { saveFile } from '@/lib/save-file'

/** Save a text as a file. */
export const saveAs = (fileName: string, text: string) =>
  saveFile(new Blob([text], { type: 'text/plain;charset=utf-8' }), fileName)

/** Copy a text that is still loading. Return false if the browser denies the clipboard. */
export async function copyText(text: Promise<string>): Promise<boolean> {
  // the type promises one, but pages that came over http have none
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  // handed over as a promise: after waiting for it, the browser would no longer see the click behind it
  const blob = text.then((lines) => new Blob([lines], { type: 'text/plain' }))
  return clipboard.write([new ClipboardItem({ 'text/plain': blob })]).then(
    () => true,
    async () => {
      await text // a text that could not be read is told by its own error
      return false
    },
  )
}
