import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'

type Told = Pick<Problem, 'code' | 'params'>

/** Of permissions that are missing: what they are for, and as the network calls them; of others that alone. */
export function useScopesInWords(): (problem: Told) => Told {
  const { t } = useTranslation()
  const format = useFormat()
  return (problem) => {
    const { scopes } = problem.params
    if (typeof scopes !== 'string') return problem
    const told = scopes.split(', ').map((name) => {
      // a network may ask for others than the texts know, so this key can't be checked against them
      const purpose = t(`accounts.scope.${name}` as 'accounts.scope.profile', { defaultValue: '' })
      return purpose ? `${purpose} (${name})` : name
    })
    return { ...problem, params: { ...problem.params, scopes: format.list(told) } }
  }
}
