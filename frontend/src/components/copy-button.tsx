import { Button, type ButtonProps } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'

const CONFIRMED_FOR = 3_000 // ms

interface CopyButtonProps extends Pick<ButtonProps, 'size' | 'variant'> {
  text: string
  label: string
  /**
   * What to do where the browser keeps the clipboard closed, as it does on every http address but this machine's own:
   * mark the text, so that a person can copy it. Returns whether it was copied after all.
   */
  onForbidden: () => boolean
}

/** Copies, and says so; where only a person may copy, says that the text is marked. */
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

/** False where the browser has no clipboard for this page, or refuses it. */
async function written(text: string): Promise<boolean> {
  // the type promises one, but pages that came over http have none
  const clipboard = navigator.clipboard as Clipboard | undefined
  if (!clipboard) return false
  return clipboard.writeText(text).then(
    () => true,
    () => false,
  )
}

/** Marks all of the element's text and copies it in the old way, which also works over http. */
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
