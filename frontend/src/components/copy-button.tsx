import { Button, type ButtonProps } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const CONFIRMED_FOR = 3_000 // ms

interface CopyButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  text: string
  label: string
  /**
   * Called if the browser has no clipboard, as on http addresses other than localhost: select the text, so that the
   * user can copy it. Return whether it was copied anyway.
   */
  onForbidden: () => boolean
}

/** Copy the text and confirm it; if the browser forbids copying, say that the text is selected. */
export function CopyButton({ text, label, onForbidden, size, variant = 'default' }: CopyButtonProps) {
  const { t } = useTranslation()
  const [outcome, setOutcome] = useState<'copied' | 'marked'>()
  useEffect(() => {
    if (outcome !== 'copied') return
    const timer = setTimeout(() => setOutcome(undefined), CONFIRMED_FOR)
    return () => clearTimeout(timer)
  }, [outcome])
  const copy = async () => {
    const copied = (await written(text)) || onForbidden()
    setOutcome(copied ? 'copied' : 'marked')
  }
  const Icon = outcome === 'copied' ? IconCheck : IconCopy
  return (
    <span className="copy">
      <Button size={size} variant={variant} leftSection={<Icon size={15} aria-hidden />} onClick={() => void copy()}>
        {outcome === 'copied' ? t('copied') : label}
      </Button>
      <span role="status" className={outcome === 'marked' ? 'copy-hint' : 'vh'}>
        {outcome === 'copied' && t('copied')}
        {outcome === 'marked' && t('marked')}
      </span>
    </span>
  )
}

/** Copy the text. Return false if the browser has no clipboard for this page, or refuses. */
async function written(text: string): Promise<boolean> {
  // missing on http pages, unlike the type says
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

/** Select the element's text and copy it with `execCommand`, which also works over http. Return whether it worked. */
export function markAndCopy(element: HTMLElement | null): boolean {
  if (!element) return false
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement) {
    element.focus()
    element.select()
  } else {
    getSelection()?.selectAllChildren(element)
  }
  return document.execCommand('copy')
}
