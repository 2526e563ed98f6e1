import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '@/i18n/use-format'
import { commonAffixes } from '@/lib/common-affixes'
import './both-versions.css'

const ABOVE = 48 // px: two lines of equal text

export interface FieldVersions {
  name: string
  /** The value saved elsewhere, as text. */
  theirs: string
  mine: string
}

interface BothVersionsProps {
  /** Target of links. */
  id: string
  /** The fields changed on both sides. */
  fields: readonly FieldVersions[]
  /** The names of fields changed only elsewhere. */
  onlyTheirs: string[]
}

/** The differences between the version saved elsewhere and the one here, side by side. */
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
  /** Lengths of the common start and end of both versions. */
  start: number
  end: number
}

function Version({ title, text, start, end }: VersionProps) {
  const { t } = useTranslation()
  const differs = text.slice(start, text.length - end)
  const place = useRef<HTMLSpanElement>(null)
  // scroll a long text to the difference
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
