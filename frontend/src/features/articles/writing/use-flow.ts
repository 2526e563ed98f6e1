import { notifications } from '@mantine/notifications'
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import type { TemplateChoice } from '@/components/template-fields'
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
  taking: AppliedText
  /** The panel is closed: then it is told elsewhere what became of it. */
  hidden: boolean
}

interface Asked {
  step: StepName
  /** Of the section, with the article's text before it. */
  number: number
  base: string
  /** The text before the first of the sections that are written one after the other. */
  first: string
}

/** An article written by a template, one step after the other; each goes on from what stands in the article. */
export function useFlow({ form, text, stored, choice, taking, hidden }: Options) {
  const { t } = useTranslation(['common', 'articles', 'writing'])
  const [asked, setAsked] = useState<Asked>()
  /** From the press to the end of the last that is to be written: also between two sections. */
  const [running, setRunning] = useState(false)
  const [stopping, setStopping] = useState(false)
  /** What was asked of a model for each step since the panel was opened. */
  const [made, setMade] = useState<Partial<Record<StepName, WritingOut[]>>>({})
  const [offer, setOffer] = useState<{ step: StepName; changes: Changes; writing: WritingOut }>()
  /** Somebody wants no more than what is on its way. */
  const stops = useRef(false)
  const writing = usePartWriting(over)
  const { gone, problem } = writing
  const busy = running && !gone && !problem
  const end = () => {
    setRunning(false)
    setStopping(false)
  }

  /** Without a trace in what can be undone. */
  const show = (content: string) => text.current?.put(content, false)
  const coming = writing.writing?.text ?? ''
  const stream = useEffectEvent((written: string) => {
    if (asked?.step === 'sections' && writing.atWork && written) show(withSection(asked.base, asked.number, written))
  })
  useEffect(() => stream(coming), [coming])

  const lost = useEffectEvent(() => {
    if (asked?.step === 'sections') show(asked.base)
  })
  useEffect(() => {
    if (gone) lost()
  }, [gone])

  const tell = (step: StepName) => {
    if (hidden) notifications.show({ color: 'red', message: t(FAILED[step]) })
  }
  const refused = useEffectEvent(() => {
    if (asked) tell(asked.step)
  })
  useEffect(() => {
    if (problem) refused()
  }, [problem])

  async function start(step: StepName, remark = '', first?: string): Promise<void> {
    if (busy && first === undefined) return
    const number = step === 'sections' ? nextToWrite(form.getValues().content) : 0
    if (number === undefined) return end()
    if (first === undefined) stops.current = false
    setRunning(true)
    if (first === undefined) setStopping(false)
    writing.reset()
    setOffer(undefined)
    const base = form.getValues().content
    setAsked({ step, number, base, first: first ?? base })
    const articleId = await stored()
    if (!articleId || stops.current) return end()
    const values = form.getValues()
    if (step === 'sections') text.current?.reveal?.(sectionsOf(base)[number]?.from ?? 0)
    writing.make.mutate({ path: { article_id: articleId }, body: bodyOf(step, number, values, choice, remark) })
  }

  // asked for before it had begun
  const begun = writing.writing?.id
  const stopLate = useEffectEvent(() => {
    if (stopping && writing.atWork && !writing.stopping) writing.stop()
  })
  useEffect(() => {
    if (begun) stopLate()
  }, [begun])

  // whoever leaves the page has it stopped, and is told
  const leave = useRef<() => void>(undefined)
  useEffect(() => {
    leave.current = busy
      ? () => {
          writing.stop()
          notifications.show({ message: t(asked?.step === 'sections' ? 'writing:stopped' : 'writing:stoppedEmpty') })
        }
      : undefined
  })
  useEffect(() => {
    const page = location.pathname
    // still the same address: React only tries out that this effect can be repeated
    return () => {
      if (page !== location.pathname) leave.current?.()
    }
  }, [])

  function over(one: WritingOut) {
    if (!asked) return
    const { step, number, base, first } = asked
    setMade((before) => ({ ...before, [step]: [...(first === base ? [] : (before[step] ?? [])), one] }))
    if (step === 'sections') {
      show(base)
      if (one.state !== 'failed' && one.text.trim()) {
        const content = withSection(base, number, one.text)
        const left = nextToWrite(content)
        const goesOn = one.state === 'succeeded' && left !== undefined && !stops.current
        taking.take(step, { content }, goesOn ? '' : t(left === undefined ? 'articles:writer.done.sections' : 'writing:stopped'), { content: first })
        if (goesOn) return void start(step, '', first)
      } else if (one.state === 'cancelled') notifications.show({ message: t('writing:stoppedEmpty') })
    } else if (one.state === 'succeeded') {
      const changes = changesOf(step, one)
      if (overwritten(step, form.getValues()).length === 0) taking.take(step, changes, t(DONE[step]))
      else setOffer({ step, changes, writing: one })
    }
    end()
    if (one.state === 'failed') tell(step)
  }

  return {
    asked,
    busy,
    stopping: stopping && !writing.stopProblem,
    writing,
    made,
    offer,
    start: (step: StepName, remark?: string) => void start(step, remark),
    stop: () => {
      stops.current = true
      setStopping(true)
      writing.stop()
    },
    takeOffer: () => {
      if (offer && offer.step !== 'sections') taking.take(offer.step, offer.changes, t(DONE[offer.step]))
      setOffer(undefined)
    },
    discard: () => setOffer(undefined),
    /** What was wrong may be right now. */
    forgive: () => writing.make.isError && writing.make.reset(),
  }
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
    headings: section ? headingsOf(content) : [], // nothing else is told them
    number,
    text: section ? content.slice(0, section.from).trim() : content,
    remark,
    language,
    time_zone: zone,
    planned_at: plannedAt(values)?.toISOString() ?? null,
  }
}

/** What a part that is not of the text becomes in the fields. */
export function changesOf(step: Exclude<StepName, 'sections'>, { text, outline, search }: WritingOut): Changes {
  if (step === 'outline') return { title: outline?.title ?? '', content: skeletonOf(outline?.headings ?? []) }
  if (step === 'summary') return { summary: text }
  return { seo_title: search?.title ?? '', seo_description: search?.description ?? '' }
}
