import { useState, type RefCallback } from 'react'

const PLACES = ['tools', 'panel', 'featured', 'summary', 'search'] as const

type Place = (typeof PLACES)[number]

/** Where in the editor the parts of a writer stand, which comes later than it. */
export type Places = Partial<Record<Place, HTMLElement | null>>

export type PlaceRefs = Record<Place, RefCallback<HTMLElement>>

export function usePlaces(): { places: Places; refs: PlaceRefs } {
  const [places, setPlaces] = useState<Places>({})
  const [refs] = useState(
    () =>
      Object.fromEntries(
        PLACES.map((name) => [name, (element: HTMLElement | null) => setPlaces((before) => ({ ...before, [name]: element }))]),
      ) as PlaceRefs,
  )
  return { places, refs }
}
