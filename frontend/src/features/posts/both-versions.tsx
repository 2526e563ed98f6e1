import { useEffect, useRef } from 'react'
import type { AccountOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useTranslation } from '@/i18n/translation'
import { useFormat, useFormatIn } from '@/i18n/use-format'
import { apart, plannedAt, touched, type Values } from './composer-values'
import { NEWER } from './use-composer'

const ABOVE = 48 // px: two lines of what is the same

interface BothVersionsProps {
  /** As it was saved elsewhere. */
  theirs: Values
  mine: Values
  /** What both began with. */
  before: Values
  accounts: readonly AccountOut[]
}

/** What differs between a post as it was saved elsewhere and as it is here, beside one another. */
export function BothVersions({ theirs, mine, before, accounts }: BothVersionsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const told = [useTold(theirs, accounts), useTold(mine, accounts)] as const
  const { both, onlyTheirs } = touched(theirs, mine, before)
  return (
    <section id={NEWER} className="panel composer-both" aria-label={t('composer.both')} tabIndex={-1}>
      {both.map((field) => {
        const [start, end] = apart(told[0][field], told[1][field])
        return (
          <div key={field} className="composer-pair">
            <h2 className="panel-title">{t(NAMES[field])}</h2>
            <Version title={t('composer.theirs')} text={told[0][field]} start={start} end={end} />
            <Version title={t('composer.mine')} text={told[1][field]} start={start} end={end} />
          </div>
        )
      })}
      {onlyTheirs.length > 0 && (
        <p className="fine-print">{t('composer.onlyTheirs', { fields: format.list(onlyTheirs.map((field) => t(NAMES[field]))) })}</p>
      )}
    </section>
  )
}

const NAMES = {
  content: 'composer.text',
  account_ids: 'composer.accounts',
  variants: 'composer.ownTexts',
  files: 'composer.images',
  first_comment: 'composer.firstComment',
  tags: 'posts.tags',
  planned: 'posts.actions.when',
  zone: 'posts.timeZone',
  language: 'posts.language',
} as const satisfies Record<keyof Values, string>

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
        {text === '' && <span className="dim">{t('composer.nothingThere')}</span>}
        {text.slice(0, start)}
        <span ref={place} />
        {differs && <mark>{differs}</mark>}
        {text.slice(text.length - end)}
      </p>
    </div>
  )
}

/** Each field in words. */
function useTold(values: Values, accounts: readonly AccountOut[]): Record<keyof Values, string> {
  const { t } = useTranslation()
  const format = useFormat()
  const there = useFormatIn(values.zone)
  const at = plannedAt(values)
  const nameOf = (id: string | null, otherwise: string) => accounts.find((account) => account.id === id)?.name ?? otherwise
  return {
    content: values.content,
    account_ids: format.list(values.account_ids.map((id) => nameOf(id, t('composer.goneAccount')))),
    variants: values.variants.map((one) => `${nameOf(one.account_id, channelName(one.channel))}: ${one.content}`).join('\n\n'),
    files: values.files.length > 0 ? t('composer.imageCount', { count: values.files.length }) : '',
    first_comment: values.first_comment,
    tags: values.tags.join(', '),
    planned: at ? there.dayAndTime(at) : '',
    zone: values.zone,
    language: t(`common.languages.${values.language}`),
  }
}
