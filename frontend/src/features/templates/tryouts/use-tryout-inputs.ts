import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { topicsQuery } from '@/components/use-writing'
import { useDraft } from '@/lib/drafts'
import { keyOf } from '@/lib/template-segments'
import { useLastTryout } from '@/features/templates/api'
import { exampleFor, firstTopic, inputOf, inputsFor, withInput, type Inputs } from './tryout-values'
import type { Values } from '@/features/templates/editor/template-values'
import { allBrandsQuery, allTopicTreesQuery } from '@/lib/unpaged-lists'

/** What a try fills in for the variables: kept while the app is open, begun with those of the last try. */
export function useTryoutInputs(templateId: string | undefined, names: readonly string[], values: Values) {
  const draft = useDraft<Inputs>(`try:${templateId ?? 'new'}`)
  const last = useLastTryout(templateId)
  const [typed, setTyped] = useState<Inputs>(() => draft.read() ?? {})
  const keep = (next: Inputs) => {
    setTyped(next)
    draft.keep(next)
  }
  const ownTopic = useOwnTopic(names)
  const circumstances = { language: values.language, tone: useVoice(values), now: new Date(), ownTopic, isCarousel: values.settings.image.engine === 'carousel' }
  const filled = inputsFor(names, typed, last.data?.items[0]?.inputs, (name) => exampleFor(name, circumstances))
  return {
    values: filled,
    set: (name: string, value: string) => keep(withInput(typed, name, value)),
    /** What stands in these fields stays, though a later try, perhaps of another tab, had something else. */
    hold: (held: readonly string[]) => {
      const open = held.filter((name) => inputOf(typed, name) === undefined)
      if (open.length > 0) keep(open.reduce((inputs, name) => withInput(inputs, name, filled[name] ?? ''), typed))
    },
    /** All at once, such as those of an earlier try. */
    load: (inputs: Inputs) => keep(inputs),
  }
}

/** Return the voice of the template's brand, else its tone. */
function useVoice({ settings: { text } }: Values): string {
  const brands = useQuery({ ...allBrandsQuery, enabled: text.brand_id !== null })
  const brand = brands.data?.items.find(({ id }) => id === text.brand_id)
  return brand?.voice || text.tone
}

/** Return a topic of the user's own; undefined until loaded, and if no variable needs one. */
function useOwnTopic(names: readonly string[]) {
  const needsTopic = names.some((name) => ['topic', 'topic path'].includes(keyOf(name)))
  const trees = useQuery({ ...allTopicTreesQuery, enabled: needsTopic })
  const tree = trees.data?.items.find(({ topic_count }) => topic_count > 0)
  const topics = useQuery({ ...topicsQuery(tree?.id ?? ''), enabled: needsTopic && tree !== undefined })
  return topics.data && firstTopic(topics.data.topics)
}

export type TryoutInputs = ReturnType<typeof useTryoutInputs>
