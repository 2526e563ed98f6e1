import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useDraftNotice } from '@/components/use-draft-notice'
import { cardPreviewQuery, useSaveCard } from '@/features/media/api'
import { imagePath } from '@/features/media/links'
import { altOf } from '@/lib/card-settings'
import { useDraft } from '@/lib/drafts'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { fieldErrors, type Problem } from '@/lib/problems'
import { sameCard, type Card } from './card-settings'

const PREVIEW_AFTER = 250 // ms after the last change

/** The same problem as the server's, for a card without a headline. */
const WORDLESS: Problem = {
  code: 'content_empty',
  status: 422,
  detail: '',
  params: {},
  errors: [{ field: 'headline', code: 'content_empty', params: {} }],
}

export interface CardDraft {
  card: Card
  /** The typed alt text; absent while it follows the text of the card. */
  alt?: string
  tags: string[]
  presetId: string
}

/** Return the card that is designed, with its preview, and the commands that change and save it. */
export function useCardDraft(from: string, start: CardDraft) {
  const { t } = useTranslation(['common', 'cards', 'errors'])
  const navigate = useNavigate()
  const storedDraft = useDraft<CardDraft>(`card:${from}`)
  const [draft, setDraft] = useState<CardDraft>(() => storedDraft.read() ?? start)
  const [isSaved, setSaved] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const headline = useRef<HTMLInputElement>(null)
  const save = useSaveCard()

  const { card, tags } = draft
  const alt = draft.alt ?? altOf(card)
  const isWordless = card.headline.trim() === ''
  const [settled] = useDebouncedValue(card, PREVIEW_AFTER)
  const preview = useQuery(cardPreviewQuery(settled))

  const differs = !sameCard(card, start.card) || draft.alt !== start.alt || !sameTags(tags, start.tags)
  const isChanged = !isSaved && differs
  useDraftNotice(isChanged, t('cards:kept'))
  useEffect(() => {
    if (isChanged) storedDraft.keep(draft)
    else storedDraft.drop()
  }, [storedDraft, isChanged, draft])

  const edit = (changes: Partial<CardDraft>) => {
    setDraft({ ...draft, ...changes })
    setProblem(undefined)
  }
  const send = useOneAtATime(() =>
    save.mutateAsync({ body: { ...card, alt, tags } }).then(
      ({ id }) => {
        setSaved(true)
        void navigate(imagePath(id))
      },
      (refused: Problem) => {
        setProblem(refused)
        if (fieldErrors(t, refused).headline) headline.current?.focus()
      },
    ),
  )
  const wrong = problem ?? (isWordless ? undefined : (preview.error ?? undefined))
  return {
    draft,
    alt,
    isWordless,
    isChanged,
    isSaving: save.isPending,
    preview,
    isPreviewOld: preview.isFetching || settled !== card,
    /** The problem with which saving was refused. */
    problem,
    errors: wrong ? fieldErrors(t, wrong) : {},
    headline,
    edit,
    editCard: (changes: Partial<Card>) => edit({ card: { ...card, ...changes } }),
    startOver: () => {
      setDraft(start)
      setProblem(undefined)
    },
    submit: () => {
      if (isWordless) {
        setProblem(WORDLESS)
        headline.current?.focus()
        return
      }
      setProblem(undefined)
      void send()
    },
  }
}

export type DesignedCard = ReturnType<typeof useCardDraft>

const sameTags = (a: readonly string[], b: readonly string[]) => JSON.stringify(a) === JSON.stringify(b)
