import { notifications } from '@mantine/notifications'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import type { TemplateChoice } from '@/components/template-fields'
import type { FollowedWriting } from '@/components/use-writing'
import { plannedAt } from '@/lib/time-zones'
import { headingsOf, nextToWrite, overwritten, sectionsOf, skeletonOf, withSection } from './article-parts'
import type { Values } from '@/features/articles/editor/article-values'
import type { TextHandle } from '@/features/articles/editor/text-handle'
import type { ArticleForm } from '@/features/articles/editor/use-article'
import { usePartWriting } from './use-part-writing'
import type { Changes, AppliedText } from '@/features/articles/editor/use-applied-text'

export const STEPS = ['outline', 'sections', 'summary', 'search'] as const

export type StepName = (typeof STEPS)[number]

interface Options {
  form: ArticleForm
  text: RefObject<TextHandle | null>
  stored: () => Promise<string | undefined>
  choice: TemplateChoice
  applied: AppliedText
  /** The panel is closed, so a notification says how a step ended. */
  hidden: boolean
}

/** A step that was requested from a model. */
interface RequestedStep {
  step: StepName
  /** The number of the section, and the text of the article before it. */
  number: number
  base: string
  /** The text before the first of the sections that are written one after the other. */
  first: string
}

/** An article written by a template, step by step; each step continues what is in the article. */
export function useFlow({ form, text, stored, choice, applied, hidden }: Options) {
  const { t } = useTranslation(['common', 'articles', 'writing'])
  const [requested, setRequested] = useState<RequestedStep>()
  /** From the start to the end of the last step, also between two sections. */
  const [running, setRunning] = useState(false)
  /** What models have written for each step since the panel was opened. */
  const [writings, setWritings] = useState<Partial<Record<StepName, WritingOut[]>>>({})
  const { offer, setOffer, takeOffer } = useOffer(applied)
  const writing = usePartWriting(onWritten)
  const stop = useStop(writing)
  const { isMissing, problem } = writing
  const busy = running && !isMissing && !problem
  const end = () => {
    setRunning(false)
    stop.end()
  }
  useSectionText(text, requested, writing)

  const notifyFailure = (step: StepName) => {
    if (hidden) notifications.show({ color: 'red', message: t(FAILED[step]) })
  }
  const onProblem = useEffectEvent(() => requested && notifyFailure(requested.step))
  useEffect(() => {
    if (problem) onProblem()
  }, [problem])

  const start = (step: StepName, remark = '') => {
    if (busy) return
    stop.reset()
    void request(step, form.getValues().content, remark)
  }
  /** Request a step or the next section. `first`: the text before the first section. */
  async function request(step: StepName, first: string, remark = ''): Promise<void> {
    const base = form.getValues().content
    const number = step === 'sections' ? nextToWrite(base) : 0
    if (number === undefined) return end()
    setRunning(true)
    writing.reset()
    setOffer(undefined)
    setRequested({ step, number, base, first })
    const articleId = await stored()
    if (!articleId || stop.isStopped()) return end()
    if (step === 'sections') text.current?.reveal?.(sectionsOf(base)[number]?.from ?? 0)
    writing.make.mutate({ path: { article_id: articleId }, body: bodyOf(step, number, form.getValues(), choice, remark) })
  }

  useOnLeave(() => {
    if (!busy) return
    writing.stop()
    notifications.show({ message: t(requested?.step === 'sections' ? 'writing:stopped' : 'writing:stoppedEmpty') })
  })

  function onWritten(writing: WritingOut) {
    if (!requested) return
    const { step, base, first } = requested
    const isFurtherSection = base !== first
    setWritings((before) => ({ ...before, [step]: [...(isFurtherSection ? (before[step] ?? []) : []), writing] }))
    if (step === 'sections') {
      if (applySection(writing, requested)) return void request(step, first)
    } else if (writing.state === 'succeeded') {
      const changes = changesOf(step, writing)
      if (overwritten(step, form.getValues()).length === 0) applied.take(step, changes, t(DONE[step]))
      else setOffer({ step, changes, writing })
    }
    end()
    if (writing.state === 'failed') notifyFailure(step)
  }
  /** Put a section into the article. Return whether another section follows. */
  function applySection({ state, text: section }: WritingOut, { step, number, base, first }: RequestedStep): boolean {
    text.current?.replace(base, false)
    if (state === 'failed' || section.trim() === '') {
      if (state === 'cancelled') notifications.show({ message: t('writing:stoppedEmpty') })
      return false
    }
    const content = withSection(base, number, section)
    const isLast = nextToWrite(content) === undefined
    const goesOn = state === 'succeeded' && !isLast && !stop.isStopped()
    const message = goesOn ? '' : t(isLast ? 'articles:writer.done.sections' : 'writing:stopped')
    applied.take(step, { content }, message, { content: first })
    return goesOn
  }

  return {
    requested,
    busy,
    stopping: stop.stopping && !writing.stopProblem,
    writing,
    writings,
    offer,
    start,
    stop: stop.stop,
    takeOffer,
    discardOffer: () => setOffer(undefined),
    /** Hide why a step was refused, after a change that may have fixed it. */
    clearProblem: () => writing.make.isError && writing.make.reset(),
  }
}

/** State of a written step that a person takes or discards, because it would overwrite a text. */
function useOffer(applied: AppliedText) {
  const { t } = useTranslation(['common', 'articles'])
  const [offer, setOffer] = useState<{ step: Exclude<StepName, 'sections'>; changes: Changes; writing: WritingOut }>()
  const takeOffer = () => {
    if (offer) applied.take(offer.step, offer.changes, t(DONE[offer.step]))
    setOffer(undefined)
  }
  return { offer, setOffer, takeOffer }
}

/** Return what stops the writing: the step in progress ends, and no further section is requested. */
function useStop(writing: FollowedWriting) {
  const [stopping, setStopping] = useState(false)
  const isStopped = useRef(false)
  // stopped before the server had the request
  const writingId = writing.writing?.id
  const stopLate = useEffectEvent(() => {
    if (stopping && writing.atWork && !writing.stopping) writing.stop()
  })
  useEffect(() => {
    if (writingId) stopLate()
  }, [writingId])
  return {
    stopping,
    isStopped: () => isStopped.current,
    stop: () => {
      isStopped.current = true
      setStopping(true)
      writing.stop()
    },
    /** Call this when the step has ended. */
    end: () => setStopping(false),
    /** Call this before the next step. */
    reset: () => {
      isStopped.current = false
      setStopping(false)
    },
  }
}

/** Show a section in the text while it is written, without a step in the text's undo history. */
function useSectionText(text: RefObject<TextHandle | null>, requested: RequestedStep | undefined, { writing, atWork, isMissing }: FollowedWriting) {
  const section = requested?.step === 'sections' ? requested : undefined
  const written = atWork ? writing?.text : undefined
  useEffect(() => {
    if (section && written) text.current?.replace(withSection(section.base, section.number, written), false)
  }, [text, section, written])
  useEffect(() => {
    if (section && isMissing) text.current?.replace(section.base, false)
  }, [text, section, isMissing])
}

/** Call `onLeave` when a person goes to another page. */
function useOnLeave(onLeave: () => void) {
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    const page = location.pathname
    return () => {
      // same address: a clean-up by React's strict mode
      if (page !== location.pathname) leave()
    }
  }, [])
}

export type Flow = ReturnType<typeof useFlow>

const DONE = {
  outline: 'articles:writer.done.outline',
  summary: 'articles:writer.done.summary',
  search: 'articles:writer.done.search',
} as const

const FAILED = {
  outline: 'articles:writer.failed.outline',
  sections: 'articles:writer.failed.sections',
  summary: 'articles:writer.failed.summary',
  search: 'articles:writer.failed.search',
} as const satisfies Record<StepName, string>

function bodyOf(step: StepName, number: number, values: Values, { order }: TemplateChoice, remark: string) {
  const { title, content, language, zone } = values
  const section = step === 'sections' ? sectionsOf(content)[number] : undefined
  return {
    part: step === 'sections' ? ('section' as const) : step,
    by: order ?? null,
    title,
    headings: section ? headingsOf(content) : [], // only a section needs them
    number,
    text: section ? content.slice(0, section.from).trim() : content,
    remark,
    language,
    time_zone: zone,
    planned_at: plannedAt(values)?.toISOString() ?? null,
  }
}

/** Return the changes of the fields for a written step. */
export function changesOf(step: Exclude<StepName, 'sections'>, { text, outline, search }: WritingOut): Changes {
  if (step === 'outline') return { title: outline?.title ?? '', content: skeletonOf(outline?.headings ?? []) }
  if (step === 'summary') return { summary: text }
  return { seo_title: search?.title ?? '', seo_description: search?.description ?? '' }
}
