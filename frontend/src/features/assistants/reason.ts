import type { TFunction } from 'i18next'
import { problemText, type Problem } from '@/lib/problems'

/** Why a step, a delivery or a run failed: its code is one of the server's, told like the problems of calls. */
export const reasonText = (t: TFunction, code: string) => problemText(t, { code: code as Problem['code'], params: {} })
