import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'

type Told = Pick<Problem, 'code' | 'params'>

/** What a network said, for people: until when it takes no calls, and what permissions are for that are missing, with the
 * network's own names. */
export function useReadableProblem(): (problem: Told) => Told {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const format = useFormat()
  const inWords = (name: string) => {
    // a network may ask for others than the texts know, so this key can't be checked against them; a colon
    // would end a namespace
    const purpose = t(`socialAccounts:scope.${name.replaceAll(':', '_')}` as 'socialAccounts:scope.profile', { defaultValue: name })
    return purpose === name ? name : `${purpose} (${name})`
  }
  return ({ code, params }) => {
    const told = { ...params }
    if (typeof params.scopes === 'string') told.scopes = format.list(params.scopes.split(', ').map(inWords))
    if (typeof params.until === 'string') told.until = format.momentInSentence(params.until)
    return { code, params: told }
  }
}
