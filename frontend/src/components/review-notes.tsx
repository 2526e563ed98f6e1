import type { TFunction } from 'i18next'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import type { Finding, ReviewNoteOut } from '@/api/types.gen'
import { ChannelIcon, channelName } from '@/components/channel'
import { Panel } from '@/components/panel'
import { useFormat } from '@/i18n/use-format'
import type { Format } from '@/i18n/format'

interface ReviewNotesProps {
  notes: readonly ReviewNoteOut[]
}

/** What a second look found, as a panel of its own. `isOut`: whether the post is published. */
export function ReviewPanel({ notes, isOut = false }: ReviewNotesProps & { isOut?: boolean }) {
  const { t } = useTranslation(['common', 'review'])
  return (
    <Panel title={t('review:title')}>
      <ReviewNotes notes={notes} />
      {!isOut && <p className="fine-print">{t('review:hint')}</p>}
    </Panel>
  )
}

/** What a second look found, as a part of a panel. */
export function ReviewSection({ notes }: ReviewNotesProps) {
  const { t } = useTranslation(['common', 'review'])
  const title = useId()
  return (
    <section className="review-section" aria-labelledby={title}>
      <h3 id={title} className="panel-title">
        {t('review:title')}
      </h3>
      <ReviewNotes notes={notes} />
      <p className="fine-print">{t('review:hint')}</p>
    </section>
  )
}

/** A sentence for each finding, below the network whose text it is. */
export function ReviewNotes({ notes }: ReviewNotesProps) {
  const { t } = useTranslation(['common', 'review'])
  const format = useFormat()
  const networks = [...new Set(notes.map(({ network }) => network))]
  return networks.map((network) => {
    const ofNetwork = notes.filter((note) => note.network === network)
    const findings = [...new Set(ofNetwork.map(({ finding }) => finding))]
    return (
      <div key={network} className="review-notes">
        {network && (
          <b>
            <ChannelIcon channel={network} size={15} /> {channelName(network)}
          </b>
        )}
        <ul>
          {findings.map((finding) => (
            <li key={finding}>
              {noteText(t, format, finding, ofNetwork.filter((note) => note.finding === finding))}
            </li>
          ))}
        </ul>
      </div>
    )
  })
}

/** Return the sentence about the notes of one finding for one text. */
function noteText(t: TFunction<['common', 'review']>, format: Format, finding: Finding, notes: readonly ReviewNoteOut[]): string {
  const params = notes[0]?.params ?? {}
  const [count, most] = [Number(params['count']), Number(params['most'])]
  switch (finding) {
    case 'wrong_language':
    case 'earlier_pages':
      return t(`review:${finding}`)
    case 'late_message':
      return t('review:late_message', { fold: Number(params['fold']) })
    case 'too_many_hashtags':
      return t('review:too_many_hashtags', { count, most })
    case 'too_many_emoji':
      return params['where'] === 'first_line' ? t('review:emoji_in_first_line') : t('review:too_many_emoji', { count, most })
    default:
      return t(`review:${finding}`, { what: format.list(notes.map(({ params }) => t('review:quoted', { passage: String(params['what']) }))) })
  }
}
