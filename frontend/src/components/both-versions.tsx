import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import { commonAffixes } from '@/lib/common-affixes'
import './both-versions.css'

const ABOVE = 48 // px: two lines of what is the same

export interface FieldVersions {
  name: string
  /** As it was saved elsewhere, in words. */
  theirs: string
  mine: string
}

interface BothVersionsProps {
  /** For what leads to it. */
  id: string
  /** What was changed on both sides. */
  fields: readonly FieldVersions[]
  /** The names of what was changed elsewhere alone. */
  onlyTheirs: string[]
}

/** What differs between something as it was saved elsewhere and as it is here, beside one another. */
export function BothVersions({ id, fields, onlyTheirs }: BothVersionsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  return (
    <section id={id} className="panel both-versions" aria-label={t('drafts.both')} tabIndex={-1}>
      {fields.map(({ name, theirs, mine }) => {
        const [start, end] = commonAffixes(theirs, mine)
        return (
          <div key={name} className="both-pair">
            <h2 className="panel-title">{name}</h2>
            <Version title={t('drafts.theirs')} text={theirs} start={start} end={end} />
            <Version title={t('drafts.mine')} text={mine} start={start} end={end} />
          </div>
        )
      })}
      {onlyTheirs.length > 0 && <p className="fine-print">{t('drafts.onlyTheirs', { fields: format.list(onlyTheirs) })}</p>}
    </section>
  )
}

interface VersionProps {
  title: string
  text: string
  /** How much at its beginning and at its end is the same in the other. */
  start: number
  end: number
}

function Version({ title, text, start, end }: VersionProps) {
  const { t } = useTranslation()
  const differs = text.slice(start, text.length - end)
  const place = useRef<HTMLSpanElement>(null)
  // of a long text, what differs is in sight
  useEffect(() => {
    const box = place.current?.parentElement
    if (box && place.current) box.scrollTop = place.current.offsetTop - ABOVE
  }, [start])
  return (
    <div>
      <h3>{title}</h3>
      <p tabIndex={0}>
        {text === '' && <span className="dim">{t('drafts.nothingThere')}</span>}
        {text.slice(0, start)}
        <span ref={place} />
        {differs && <mark>{differs}</mark>}
        {text.slice(text.length - end)}
      </p>
    </div>
  )
}
