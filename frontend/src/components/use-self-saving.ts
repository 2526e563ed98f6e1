import { useForm } from '@mantine/form'
import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useDraft } from '@/lib/drafts'
import { changedFields, withLaterEdits } from '@/lib/edits'
import { problemText, toProblem, type Problem } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'
import { withRemedy } from './problem-text'
import { showUndo } from './undo'
import { useKeptNotice } from './use-kept-notice'

const REST = 1_500 // ms without a key before a draft saves itself
const AGAIN = 10_000 // ms until what could not be sent is sent once more
const SECOND = 1_000 // ms

/** Where both versions are shown. */
export const NEWER_VERSION_ID = 'newer-version'

/** What can be typed or pressed in the field of that name. */
export function focusField(field: string) {
  const place = document.querySelector(`[data-field="${field}"]`)
  const typed = 'textarea, input, [contenteditable="true"]'
  const able = place?.matches(typed) ? place : (place?.querySelector(typed) ?? place?.querySelector('button, a'))
  // what is folded away takes no focus
  place?.closest('details')?.setAttribute('open', '')
  if (able instanceof HTMLElement) able.focus()
}

interface Kept<Values> {
  values: Values
  /** The version that the values were typed over. */
  version: number
}

interface Options<Thing, Values> {
  /** As the server has it now; nothing for a new one. */
  thing: Thing | undefined
  /** The server has it no more. */
  gone: boolean
  /** What its draft is called, by its id; by null as long as the server does not have it. */
  draftName: (id: string | null) => string
  valuesOf: (thing: Thing) => Values
  /** What a new one begins with. */
  empty: Values
  /** The same, for what is written over `values`. */
  emptyLike: (values: Values) => Values
  /** Nothing that is worth a draft. */
  isBlank: (values: Values) => boolean
  /** What keeps the server from taking it, which nobody has to ask it for. */
  lacks?: (values: Values) => Record<string, string>
  /** A draft does; what is on its way is changed when somebody says so. */
  savesItself: (known: Thing | undefined) => boolean
  create: (id: string, values: Values) => Promise<Thing>
  edit: (change: { id: string; values: Values; known: Thing | undefined; version: number; approved: boolean }) => Promise<Thing>
  queryKey: (id: string) => QueryKey
  /** It is on the server from now on. */
  onCreated: (id: string) => void
  /** What a refusal says of each field. */
  errorsOf: (problem: Problem) => Record<string, string>
  /** Those that say what is wrong with them, in the order in which they stand. */
  fields: readonly string[]
  /** Told to who leaves it in the middle of a sentence. */
  kept: string
}

/** What is written of something that saves itself as a draft, over whatever others make of it meanwhile. */
export function useSelfSaving<Thing extends { id: string; version: number }, Values extends object>(options: Options<Thing, Values>) {
  const { thing, gone, valuesOf, isBlank, lacks } = options
  const { t } = useTranslation(['common', 'errors'])
  const queryClient = useQueryClient()
  const [id, setId] = useState(() => thing?.id ?? newRequestId())
  /** Whether the server has it. */
  const [stored, setStored] = useState(thing !== undefined)
  const draft = useDraft<Kept<Values>>(options.draftName(stored ? id : null))
  const [kept] = useState(draft.read)
  const [answered, setKnown] = useState(thing)
  /** As the server has it. What becomes of it, such as that it goes out, makes no other version of it. */
  const known = thing && thing.id === id && thing.version === answered?.version ? thing : answered
  const [saved, setSaved] = useState(() => (thing ? valuesOf(thing) : options.empty))
  const [savedAt, setSavedAt] = useState<Date>()
  const [saving, setSaving] = useState(false)
  const [message, setMessage] = useState<ReactNode>()
  /** The server could not be reached, or had no time: when it is asked again. */
  const [away, setAway] = useState<{ again: number }>()
  /** What was sent last, as long as nobody knows whether it arrived. */
  const [unanswered, setUnanswered] = useState<Values>()
  /** What was sent last, with the version that it was typed over: what is refused for good is not sent again as it is. */
  const [tried, setTried] = useState<string>()
  /** The version that the values are typed over. */
  const [version, setVersion] = useState(kept?.version ?? thing?.version ?? 0)
  /** The same for a call that begins before the next drawing. */
  const latest = useRef(version)
  const form = useForm<Values>({ initialValues: kept?.values ?? saved })
  const underWay = useRef<Promise<unknown>>(undefined)
  /** How many saves have begun and not ended. */
  const begun = useRef(0)
  const { values } = form
  const changes = changedFields(values, saved).length
  const savesItself = options.savesItself(known)
  const isGone = gone && thing?.id === id
  const newer = thing && thing.id === id && thing.version > version && !saving ? thing : undefined

  const typedOver = (next: number) => {
    latest.current = next
    setVersion(next)
  }

  /** From now on this is what the server has; what is shown is `shown`. */
  const begin = (next: Thing, shown: Values) => {
    typedOver(next.version)
    setKnown(next)
    setSaved(valuesOf(next))
    setMessage(undefined)
    setUnanswered(undefined)
    form.setValues(shown)
    form.clearErrors()
  }
  // changed elsewhere while nothing was typed here: the newer one is simply shown
  if (newer && changes === 0) {
    setVersion(newer.version)
    setKnown(newer)
    setSaved(valuesOf(newer))
    form.setValues(valuesOf(newer))
  } else if (newer && unanswered && changedFields(unanswered, valuesOf(newer)).length === 0) {
    // it is what was sent from here, and only the answer got lost
    setVersion(newer.version)
    setKnown(newer)
    setSaved(valuesOf(newer))
    setUnanswered(undefined)
    setAway(undefined)
    setMessage(undefined)
  }
  useEffect(() => {
    latest.current = version
  }, [version])

  useEffect(() => {
    if (changes > 0) draft.keep({ values, version })
    else draft.drop()
  }, [draft, changes, values, version])
  useKeptNotice(changes > 0 && !(savesItself && isBlank(values)), options.kept)

  const send = async (approved: boolean): Promise<Thing> => {
    const sent = form.getValues()
    const isNew = latest.current === 0
    setSaving(true)
    setUnanswered(sent)
    setTried(JSON.stringify([id, latest.current, sent]))
    try {
      const answer = isNew
        ? await options.create(id, sent)
        : await options.edit({ id, values: sent, known, version: latest.current, approved })
      const theirs = valuesOf(answer)
      // one that is there already is answered as it is, and what was typed since the first try is still to be saved
      const isAnswered = isNew && unanswered !== undefined
      begin(answer, withLaterEdits(theirs, isAnswered ? theirs : sent, form.getValues()))
      setSavedAt(new Date())
      setAway(undefined)
      queryClient.setQueryData(options.queryKey(id), answer)
      if (isNew) {
        draft.drop()
        setStored(true)
        options.onCreated(id)
      }
      return answer
    } finally {
      setSaving(false)
    }
  }
  /** After the one that is under way. Rejects with the server's problem. */
  const save = (approved = false): Promise<Thing> => {
    const before = underWay.current
    begun.current += 1
    const next = (async () => {
      try {
        await before?.catch(() => undefined)
        return await send(approved)
      } finally {
        begun.current -= 1
      }
    })()
    underWay.current = next
    return next
  }
  const lead = (errors: Record<string, string>) => {
    const wrong = options.fields.find((field) => field in errors)
    if (wrong) requestAnimationFrame(() => focusField(wrong))
  }
  /** `leads`: to the first wrong field, where somebody waits for what they have asked for. */
  const show = (error: unknown, leads = true) => {
    const problem: Problem = toProblem(error)
    if (problem.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: options.queryKey(id) })
    const passes = problem.status === 0 || problem.status === 429 || problem.status >= 500
    setAway(passes ? { again: Number(problem.params.retry_after) * SECOND || AGAIN } : undefined)
    // the server has said that it did not take it
    if (!passes) setUnanswered(undefined)
    const errors = options.errorsOf(problem)
    form.setErrors(errors)
    if (leads) lead(errors)
    // it is saved then: only what was to follow is refused
    const said = problem.code === 'subscription_required' ? 'drafts.notOut' : 'drafts.saveFailed'
    setMessage(problem.errors.length === 0 ? withRemedy(problem.code, `${t(said)} ${problemText(t, problem)}`) : undefined)
  }
  /** Nothing where the server can take it; else its fields say what is wrong. */
  const lacking = () => {
    const errors = lacks?.(form.getValues()) ?? {}
    if (Object.keys(errors).length === 0) return undefined
    form.setErrors(errors)
    return errors
  }
  const saveItself = useEffectEvent(() => {
    if (lacking()) return
    // behind one that somebody asked for, it would make another version of what that one is about to publish
    if (begun.current === 0) save().catch((error: unknown) => show(error, false))
  })
  const isWorthIt = away !== undefined || tried !== JSON.stringify([id, version, values])
  const due = savesItself && !saving && changes > 0 && !newer && !isGone && isWorthIt && !(isBlank(values) && version === 0)
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(saveItself, away?.again ?? REST)
    const online = () => saveItself()
    if (away) window.addEventListener('online', online)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', online)
    }
    // each key begins the rest anew
  }, [due, values, away])

  /** As it is saved, for what is to follow; nothing where that failed, which is shown. */
  const settle = async (approved = false): Promise<Thing | undefined> => {
    if (isGone) return undefined
    if (changes > 0 && newer) {
      document.getElementById(NEWER_VERSION_ID)?.focus()
      return undefined
    }
    const errors = lacking()
    if (errors) {
      lead(errors)
      return undefined
    }
    try {
      if (changes > 0 || approved || version === 0) return await save(approved)
      await underWay.current
      return known
    } catch (error) {
      show(error)
      return undefined
    }
  }

  return {
    id,
    form,
    known,
    changes,
    saving,
    savedAt,
    savesItself,
    message,
    /** It could not be saved, and is tried again by itself. */
    triesAgain: away !== undefined && due,
    /** Deleted elsewhere while it is shown here. */
    isGone,
    /** What is written here becomes a draft of its own. */
    asNew: () => {
      draft.drop()
      setId(newRequestId())
      typedOver(0)
      setStored(false)
      setKnown(undefined)
      setSaved(options.emptyLike(values))
      setSavedAt(undefined)
      setMessage(undefined)
      setUnanswered(undefined)
      form.clearErrors()
    },
    /** Changed elsewhere while something was typed here. */
    newer: changes > 0 ? newer : undefined,
    saved,
    settle,
    /** Its id, for what is made for it: a new one becomes a draft, what is on its way stays as it is. */
    stored: async (): Promise<string | undefined> => {
      await underWay.current?.catch(() => undefined)
      return latest.current > 0 || (await settle()) ? id : undefined
    },
    show,
    /** It goes, with what was typed of it. */
    forget: () => draft.drop(),
    /** What was typed comes back by one undo. */
    loadNewer: (next: Thing) => {
      const mine = form.getValues()
      begin(next, valuesOf(next))
      showUndo({ message: t('drafts.loadedNewer'), label: t('undo'), undo: () => form.setValues(mine) })
    },
    /** Go on with what was changed here, over the newer version. */
    keepMine: (next: Thing) => begin(next, withLaterEdits(valuesOf(next), saved, form.getValues())),
  }
}
