import type { ReactNode } from 'react'
import { Questions as Drawn } from '@/app/messages'

/** Where a question is drawn that a part of a page asks. */
export const Questions = ({ children }: { children?: ReactNode }) => <Drawn>{children}</Drawn>
