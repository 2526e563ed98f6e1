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

const REST = 1_500 // ms without a keystroke before a draft is saved automatically
const AGAIN = 10_000 // ms until a failed save is retried
const SECOND = 1_000 // ms

/** Id of the element with both versions. */
export const NEWER_VERSION_ID = 'newer-version'

/** Focus the input of a field, else its first button or link. */
export function focusField(field: string) {
  const place = document.querySelector(`[data-field="${field}"]`)
  const typed = 'textarea, input, [contenteditable="true"]'
  const able = place?.matches(typed) ? place : (place?.querySelector(typed) ?? place?.querySelector('button, a'))
  // open collapsed parts, which cannot take the focus
  place?.closest('details')?.setAttribute('open', '')
  if (able instanceof HTMLElement) able.focus()
}

interface Kept<Values> {
  values: Values
  /** The version that the values are based on. */
  version: number
}

interface Options<Thing, Values> {
  /** The server's current object; undefined for a new one. */
  thing: Thing | undefined
  /** The object was deleted on the server. */
  gone: boolean
  /** Return the name of its draft; `id` is null while the server does not have the object. */
  draftName: (id: string | null) => string
  valuesOf: (thing: Thing) => Values
  /** Initial values of a new object. */
  empty: Values
  /** Return the initial values of a new object that continues with `values`. */
  emptyLike: (values: Values) => Values
  /** Return whether the values are not worth a draft. */
  isBlank: (values: Values) => boolean
  /** Return errors by field that are known without the server. */
  lacks?: (values: Values) => Record<string, string>
  /** Return whether it is saved automatically: drafts are, scheduled posts only on request. */
  savesItself: (known: Thing | undefined) => boolean
  create: (id: string, values: Values) => Promise<Thing>
  edit: (change: { id: string; values: Values; known: Thing | undefined; version: number; approved: boolean }) => Promise<Thing>
  queryKey: (id: string) => QueryKey
  /** Called once the server has the object. */
  onCreated: (id: string) => void
  /** Return a refusal's errors by field. */
  errorsOf: (problem: Problem) => Record<string, string>
  /** The fields that show errors, in visual order. */
  fields: readonly string[]
  /** Shown to users who leave the page with unsaved changes. */
  kept: string
}

/** State of a form that is saved automatically as a draft, with handling of changes made elsewhere meanwhile. */
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
  /** The server's object. A change of state, such as publishing, does not change its version. */
  const known = thing && thing.id === id && thing.version === answered?.version ? thing : answered
  const [saved, setSaved] = useState(() => (thing ? valuesOf(thing) : options.empty))
  const [savedAt, setSavedAt] = useState<Date>()
  const [saving, setSaving] = useState(false)
  const [message, setMessage] = useState<ReactNode>()
  /** Set if the server was unreachable or busy: ms until the next try. */
  const [away, setAway] = useState<{ again: number }>()
  /** The values sent last, while it is unknown whether they arrived. */
  const [unanswered, setUnanswered] = useState<Values>()
  /** The values and version sent last: values that were refused permanently are not sent again unchanged. */
  const [tried, setTried] = useState<string>()
  /** The version that the values in the form are based on. */
  const [version, setVersion] = useState(kept?.version ?? thing?.version ?? 0)
  /** The same version for calls that begin before the next render. */
  const latest = useRef(version)
  const form = useForm<Values>({ initialValues: kept?.values ?? saved })
  const underWay = useRef<Promise<unknown>>(undefined)
  /** Number of saves in progress. */
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

  /** Set the server's object to `next` and the form's values to `shown`. */
  const begin = (next: Thing, shown: Values) => {
    typedOver(next.version)
    setKnown(next)
    setSaved(valuesOf(next))
    setMessage(undefined)
    setUnanswered(undefined)
    form.setValues(shown)
    form.clearErrors()
  }
  // changed elsewhere without changes here: show the newer version
  if (newer && changes === 0) {
    setVersion(newer.version)
    setKnown(newer)
    setSaved(valuesOf(newer))
    form.setValues(valuesOf(newer))
  } else if (newer && unanswered && changedFields(unanswered, valuesOf(newer)).length === 0) {
    // the newer version is the one sent from here, whose response was lost
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
      // the response to a repeated create is the existing object; changes since the first try are still unsaved
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
  /** Save after the save in progress. Reject with the server's problem. */
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
  /** Show a failed save. `leads`: focus the first invalid field, after an action of the user. */
  const show = (error: unknown, leads = true) => {
    const problem: Problem = toProblem(error)
    if (problem.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: options.queryKey(id) })
    const passes = problem.status === 0 || problem.status === 429 || problem.status >= 500
    setAway(passes ? { again: Number(problem.params.retry_after) * SECOND || AGAIN } : undefined)
    // the server refused the values, so they did not arrive
    if (!passes) setUnanswered(undefined)
    const errors = options.errorsOf(problem)
    form.setErrors(errors)
    if (leads) lead(errors)
    // with this code the object is saved, and only the publishing is refused
    const said = problem.code === 'subscription_required' ? 'drafts.notOut' : 'drafts.saveFailed'
    setMessage(problem.errors.length === 0 ? withRemedy(problem.code, `${t(said)} ${problemText(t, problem)}`) : undefined)
  }
  /** Return undefined if the values can be saved; else show and return the errors. */
  const lacking = () => {
    const errors = lacks?.(form.getValues()) ?? {}
    if (Object.keys(errors).length === 0) return undefined
    form.setErrors(errors)
    return errors
  }
  const saveItself = useEffectEvent(() => {
    if (lacking()) return
    // not after a requested save: it would make another version of the object that is about to be published
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
    // debounce: restart on every keystroke
  }, [due, values, away])

  /** Save if needed and return the saved object for the next action; undefined if that failed, which is shown. */
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
    /** Whether a failed save is retried automatically. */
    triesAgain: away !== undefined && due,
    /** Whether the object was deleted elsewhere. */
    isGone,
    /** Turn the values into a new draft. */
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
    /** The version saved elsewhere while there are changes here. */
    newer: changes > 0 ? newer : undefined,
    saved,
    settle,
    /** Return the id; a new object is saved as a draft first, an existing one is not saved. */
    stored: async (): Promise<string | undefined> => {
      await underWay.current?.catch(() => undefined)
      return latest.current > 0 || (await settle()) ? id : undefined
    },
    show,
    /** Drop the typed changes, because the object is deleted. */
    forget: () => draft.drop(),
    /** Load the newer version, with an undo that restores the typed values. */
    loadNewer: (next: Thing) => {
      const mine = form.getValues()
      begin(next, valuesOf(next))
      showUndo({ message: t('drafts.loadedNewer'), label: t('undo'), undo: () => form.setValues(mine) })
    },
    /** Keep the changes made here, over the newer version. */
    keepMine: (next: Thing) => begin(next, withLaterEdits(valuesOf(next), saved, form.getValues())),
  }
}
