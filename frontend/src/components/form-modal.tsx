import { Modal, type ModalProps } from '@mantine/core'
import { useState, type ReactNode } from 'react'

interface FormModalProps extends Omit<ModalProps, 'children'> {
  /** Renders the form. `close` closes the dialog; `onTyped` says whether the form has typed values. */
  children: (close: () => void, onTyped: (typed: boolean) => void) => ReactNode
}

/** A dialog with a form. Once something is typed, Escape and clicks outside do not close the dialog. */
export function FormModal({ onClose, children, ...props }: FormModalProps) {
  const [typed, setTyped] = useState(false)
  const close = () => {
    setTyped(false)
    onClose()
  }
  return (
    <Modal {...props} onClose={close} closeOnEscape={!typed} closeOnClickOutside={!typed}>
      {children(close, setTyped)}
    </Modal>
  )
}
