import type { TFunction } from 'i18next'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import type { StepOut } from '@/api/types.gen'
import type { Format } from '@/i18n/format'
import { reasonText } from '@/lib/problems'
import { postPath } from '@/features/assistants/links'

type TextFacts = StepOut['facts']

/** Return how a text that was too long for its channels was shortened; null if it was not. */
export function lengthText(t: TFunction<['common', 'errors', 'runs']>, facts: TextFacts): string | null {
  const { fitting, first_characters, limit, fitting_code } = facts
  if (fitting !== 'shortened' && fitting !== 'cut' && fitting !== 'shortened_and_cut') return null
  const fittingText = t(`runs:fitting.${fitting}`, { count: Number(first_characters), limit: Number(limit) })
  return typeof fitting_code === 'string' ? `${fittingText} ${reasonText(t, fitting_code)}` : fittingText
}

/** Return how a text in the wrong language, or without words, was corrected; null if it was neither. */
export function correctionText(t: TFunction<['common', 'errors', 'runs']>, facts: TextFacts): string | null {
  const { flaw, correction, correction_code } = facts
  if (flaw !== 'language' && flaw !== 'no_words') return null
  if (typeof correction_code === 'string') return `${t(`runs:correction.${flaw}.failed`)} ${reasonText(t, correction_code)}`
  return t(`runs:correction.${flaw}.${correction === 'rewritten' ? 'rewritten' : 'accepted'}`)
}

/** Return what was changed because of the second look; null if the model was not asked to change the texts. */
export function revisionText(t: TFunction<['common', 'errors', 'runs']>, facts: TextFacts): string | null {
  const { revision, revised, revision_code } = facts
  if (typeof revision_code === 'string') return `${t('runs:revision.failed')} ${reasonText(t, revision_code)}`
  if (revision === 'revised') return t('runs:revision.revised', { count: Number(revised) })
  return revision === 'kept' ? t('runs:revision.kept') : null
}

/** Return how similar the text is to an earlier post, and what was done about it. */
export function similarityText(t: TFunction<['common', 'errors', 'runs']>, format: Format, facts: TextFacts): ReactNode {
  const { similarity, compared } = facts
  if (typeof similarity !== 'number') return null
  const percent = format.percent(similarity / 100)
  return repetitionText(t, format, facts) ?? t('runs:nearest', { percent, count: Number(compared) })
}

/** Return the note on a text that was rewritten because of repetition; null for any other. */
export function repetitionText(t: TFunction<['common', 'errors', 'runs']>, format: Format, facts: TextFacts): ReactNode {
  const { similarity, repetition, first_similarity, similar_post_id, similar_topic, repetition_code } = facts
  if (repetition !== 'rewritten' && repetition !== 'accepted') return null
  const percentOf = (share: unknown) => format.percent(Number(share) / 100)
  const values = { percent: percentOf(similarity), first: percentOf(first_similarity), topic: String(similar_topic) }
  return (
    <>
      {t(`runs:repetition.${repetition}`, values)} {typeof repetition_code === 'string' && `${reasonText(t, repetition_code)} `}
      <Link className="link" to={postPath(String(similar_post_id))}>
        {t('runs:similarPost')}
      </Link>
    </>
  )
}
