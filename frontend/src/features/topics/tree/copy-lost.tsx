import type { RefObject } from 'react'
import { CopyButton, markAndCopy } from '@/components/copy-button'

interface CopyLostProps {
  text: string
  label: string
  /** The element that shows the text. */
  box: RefObject<HTMLElement | null>
}

/** The button that copies a lost text, loaded only when a text is lost. */
export const CopyLost = ({ text, label, box }: CopyLostProps) => (
  <CopyButton text={text} label={label} size="compact-sm" onForbidden={() => markAndCopy(box.current)} />
)
