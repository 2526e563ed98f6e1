import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'

type NetworkProblem = Pick<Problem, 'code' | 'params'>

/**
 * Return what makes a network's problem readable: until when the network takes no calls, and the purpose of each missing
 * permission with the network's own name.
 */
export function useReadableProblem(): (problem: NetworkProblem) => NetworkProblem {
  const { t } = useTranslation(['common', 'socialAccounts'])
  const format = useFormat()
  const inWords = (name: string) => {
    // a network may require permissions without a text, so the key cannot be typed; a colon would end a namespace
    const purpose = t(`socialAccounts:scope.${name.replaceAll(':', '_')}` as 'socialAccounts:scope.profile', { defaultValue: name })
    return purpose === name ? name : `${purpose} (${name})`
  }
  return ({ code, params }) => {
    const readable = { ...params }
    if (typeof params.scopes === 'string') readable.scopes = format.list(params.scopes.split(', ').map(inWords))
    if (typeof params.until === 'string') readable.until = format.momentInSentence(params.until)
    return { code, params: readable }
  }
}
