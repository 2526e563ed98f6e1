import { loadTexts } from '@/i18n'

const TELLS_WHY = /"(?:\w+_)?(?:reason|code)":"/

type Ask = (context: unknown) => Promise<unknown>

/** A query whose answers may tell why something failed: few do, and these bring the words for it before anybody shows them. */
export function withReasons<Options extends { queryFn?: unknown }>(options: Options): Options {
  const ask = options.queryFn as Ask
  const queryFn: Ask = async (context) => {
    const answer = await ask(context)
    if (TELLS_WHY.test(JSON.stringify(answer))) await loadTexts('errors')
    return answer
  }
  return { ...options, queryFn }
}
