import { useTranslation } from 'react-i18next'
import { useWithUnsavedChanges } from '@/components/use-with-unsaved-changes'
import { takenDown } from '@/features/articles/article-state'
import { useFormat } from '@/i18n/use-format'
import type { EditedArticle } from './use-article'

/** Return what the head of the editor says about saving: whether the text is saved, and where the article stands. */
export function useSavingText(edited: EditedArticle, isNew: boolean): string {
  const { t } = useTranslation(['common', 'articles'])
  const format = useFormat()
  const { saved, changes, savedAt, onItsWay, isAtSite } = edited
  const withChanges = useWithUnsavedChanges(changes)
  if (edited.isGone) return t('drafts.notSaved')
  if (edited.saving) return t('drafts.saving')
  if (saved?.status === 'draft' && saved.approval?.state === 'waiting')
    return withChanges(t('articles:waitsUntil', { when: format.dayAndTime(saved.approval.deadline_at) }))
  if (onItsWay && saved?.planned_at) return withChanges(t('articles:goesOut', { when: format.dayAndTime(saved.planned_at) }))
  if (edited.triesAgain) return t('drafts.triesAgain')
  const [wrong] = Object.values(edited.form.errors)
  if (changes > 0 && typeof wrong === 'string' && !edited.message) return t('drafts.notSavedWhy', { why: wrong })
  if (changes > 0) return t('drafts.notSaved')
  // the page of a new article moves to the article's own address in a moment
  if (savedAt && isNew) return t('drafts.saving')
  if (isAtSite && savedAt) return t('articles:editor.atSite.savedHere', { time: format.time(savedAt) })
  if (isAtSite) return t('articles:editor.atSite.savesItself')
  if (savedAt) return t('drafts.draftSaved', { time: format.time(savedAt) })
  const removedAt = saved && takenDown(saved)?.removal?.removed_at
  if (removedAt) return t('articles:editor.atSite.takenDown', { when: format.atMoment(removedAt) })
  return t(saved ? 'drafts.draftKept' : 'drafts.savesItself')
}
