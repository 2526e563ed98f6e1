import { useTranslation } from 'react-i18next'
import { useWithUnsavedChanges } from '@/components/use-with-unsaved-changes'
import { useFormat } from '@/i18n/use-format'
import type { EditedPost } from './use-composer'

/** Return what the head of the composer says about saving: whether the text is saved, and when the post goes out. */
export function useSavingText(edited: EditedPost, isNew: boolean): string {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const { latest, changes, savedAt } = edited
  const withChanges = useWithUnsavedChanges(changes)
  if (edited.isGone) return t('drafts.notSaved')
  if (edited.saving) return t('drafts.saving')
  const planned = edited.onItsWay && latest?.planned_at
  // a post that waits for approval goes out only when it is approved, unless its deadline approves it
  const until = edited.waitsForApproval && latest?.approval?.at_deadline !== 'publish' ? latest?.approval?.deadline_at : undefined
  if (planned && !until) return withChanges(t('posts:goesOut', { when: format.dayAndTime(planned) }))
  if (edited.triesAgain) return t('drafts.triesAgain')
  const [wrong] = Object.values(edited.form.errors)
  if (changes > 0 && typeof wrong === 'string' && !edited.message) return t('drafts.notSavedWhy', { why: wrong })
  if (changes > 0) return t('drafts.notSaved')
  if (until) return t('posts:composer.asked', { when: format.dayAndTime(until) })
  if (!edited.savesItself) return ''
  // the page of a new post moves to the post's own address in a moment
  if (savedAt && isNew) return t('drafts.saving')
  if (savedAt) return t('drafts.draftSaved', { time: format.time(savedAt) })
  return t(edited.saved ? 'drafts.draftKept' : 'drafts.savesItself')
}
