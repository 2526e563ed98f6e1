import { useMemo } from 'react'
import { segmentsOf } from '@/lib/template-segments'

/** A template's text, read-only, with its variables highlighted. */
export function TemplateText({ body }: { body: string }) {
  const segments = useMemo(() => segmentsOf(body), [body])
  return segments.map((segment, index) =>
    segment.kind === 'text' ? (
      segment.text
    ) : (
      <mark key={index} className="var" data-own={segment.kind === 'own' || undefined}>
        {segment.text}
      </mark>
    ),
  )
}
