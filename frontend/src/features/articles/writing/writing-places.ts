import { useState, type RefCallback } from 'react'

type Place = 'tools' | 'panel' | 'featured' | 'summary' | 'search'

/** Where in the editor the parts of a writer stand, which comes later than it. */
export type Places = Partial<Record<Place, HTMLElement | null>>

export type FieldPlaces = Record<'featured' | 'summary' | 'search', RefCallback<HTMLElement>>

/** Where they are, and what tells it of the elements of those names. */
export function usePlaces() {
  const [places, setPlaces] = useState<Places>({})
  const [told] = useState(() => {
    const at = (name: Place) => (element: HTMLElement | null) => setPlaces((before) => ({ ...before, [name]: element }))
    const fields: FieldPlaces = { featured: at('featured'), summary: at('summary'), search: at('search') }
    return { tools: at('tools'), panel: at('panel'), fields }
  })
  return [places, told.tools, told.panel, told.fields] as const
}
