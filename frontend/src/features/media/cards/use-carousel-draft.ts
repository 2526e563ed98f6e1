import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { CardPageModel } from '@/api/types.gen'
import { useDraftNotice } from '@/components/use-draft-notice'
import { carouselPreviewQuery, useSaveCarousel } from '@/features/media/api'
import { composePath, type ComposeState } from '@/lib/compose-path'
import { useDraft } from '@/lib/drafts'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { fieldErrors, type Problem } from '@/lib/problems'
import { carouselBody, newCarousel, newPage, sameCarousel, type CardPage, type Carousel } from './card-pages'

const PREVIEW_AFTER = 250 // ms after the last change

export interface CarouselDraft {
  carousel: Carousel
  tags: string[]
  presetId: string
  /** The index of the page that is edited. */
  selected: number
}

export const fromNothing = (): CarouselDraft => ({ carousel: newCarousel(), tags: [], presetId: '', selected: 0 })

/**
 * Return the carousel that is designed, from what `startOf` returns or from what was kept for `from`,
 * with the preview of its selected page, and what changes and saves it. Saved pages go to `post`, if any, where the person
 * sees them before the post is saved.
 */
export function useCarouselDraft(from: string, startOf: () => CarouselDraft, post: string | null) {
  const { t } = useTranslation(['common', 'cards', 'errors'])
  const navigate = useNavigate()
  const storedDraft = useDraft<CarouselDraft>(from)
  const [start] = useState(startOf)
  const [draft, setDraft] = useState<CarouselDraft>(() => storedDraft.read() ?? start)
  const [isSaved, setSaved] = useState(false)
  const [problem, setProblem] = useState<Problem>()
  const save = useSaveCarousel()

  const { carousel, tags } = draft
  const selected = Math.min(draft.selected, carousel.pages.length - 1)
  const current = useMemo(() => ({ carousel, selected }), [carousel, selected])
  const [settled] = useDebouncedValue(current, PREVIEW_AFTER)
  const preview = useQuery(carouselPreviewQuery({ ...carouselBody(settled.carousel), only: settled.selected }))

  const isChanged = !isSaved && (!sameCarousel(carousel, start.carousel) || JSON.stringify(tags) !== JSON.stringify(start.tags))
  useDraftNotice(isChanged, t('cards:carousel.kept'))
  useEffect(() => {
    if (isChanged) storedDraft.keep(draft)
    else storedDraft.drop()
  }, [storedDraft, isChanged, draft])

  const edit = (changes: Partial<CarouselDraft>) => {
    setDraft({ ...draft, selected, ...changes })
    setProblem(undefined)
  }
  const setPages = (pages: CardPage[], select = selected) => edit({ carousel: { ...carousel, pages }, selected: select })
  const send = useOneAtATime(() =>
    save.mutateAsync({ body: { ...carouselBody(carousel), tags } }).then(
      (saved) => {
        setSaved(true)
        const pages = saved.map(({ id, alt }) => ({ media_id: id, alt }))
        void (post ? navigate(composePath(post), { state: { pages } satisfies ComposeState }) : navigate(paths.mediaGallery))
      },
      (refused: Problem) => {
        setProblem(refused)
        const wrong = refused.errors.find(({ field }) => /^pages\.\d+\./.test(field))
        if (wrong) setDraft({ ...draft, selected: Number(wrong.field.split('.')[1]) })
      },
    ),
  )
  const isWordless = carousel.pages[selected]?.headline.trim() === ''
  const wrong = problem ?? (isWordless ? undefined : (preview.error ?? undefined))
  return {
    draft: { ...draft, selected },
    pages: carousel.pages,
    preview,
    isPreviewOld: preview.isFetching || settled.carousel !== carousel || settled.selected !== selected,
    isWordless,
    isChanged,
    isSaving: save.isPending,
    /** Whether a page has no headline yet. */
    isIncomplete: carousel.pages.some(({ headline }) => headline.trim() === ''),
    problem,
    setProblem,
    errors: wrong ? fieldErrors(t, wrong) : {},
    edit,
    setPages,
    replacePages: (pages: CardPageModel[]) => setPages(pages.map((page) => newPage(page.kind, page)), 0),
    editPage: (changes: Partial<CardPage>) =>
      setPages(carousel.pages.map((page, index) => (index === selected ? { ...page, ...changes } : page))),
    startOver: () => {
      setDraft(start)
      setProblem(undefined)
    },
    submit: () => {
      setProblem(undefined)
      void send()
    },
  }
}

export type DesignedCarousel = ReturnType<typeof useCarouselDraft>
