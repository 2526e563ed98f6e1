import { useState, type RefCallback } from 'react'

type Place = 'tools' | 'panel' | 'featured' | 'summary' | 'search'

/** The elements of the editor in which the parts of the writer are drawn. */
export type Places = Partial<Record<Place, HTMLElement | null>>

export type FieldPlaces = Record<'featured' | 'summary' | 'search', RefCallback<HTMLElement>>

/** Return the elements, and the callbacks that the elements take as their `ref`. */
export function usePlaces() {
  const [places, setPlaces] = useState<Places>({})
  const [refs] = useState(() => {
    const at = (name: Place) => (element: HTMLElement | null) => setPlaces((before) => ({ ...before, [name]: element }))
    const fields: FieldPlaces = { featured: at('featured'), summary: at('summary'), search: at('search') }
    return { tools: at('tools'), panel: at('panel'), fields }
  })
  return [places, refs.tools, refs.panel, refs.fields] as const
}
