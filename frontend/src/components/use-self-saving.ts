import { useForm } from '@mantine/form'
import { useQueryClient, type QueryKey } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useDraft } from '@/lib/drafts'
import { changedFields, withLaterEdits } from '@/lib/edits'
import { useQueue } from '@/lib/one-at-a-time'
import { toProblem, type Problem } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'
import { useIsMounted } from '@/lib/use-is-mounted'
import { showUndo } from './undo'
import { useDraftNotice } from './use-draft-notice'
import { useSaveErrors, type ErrorOptions } from './use-save-errors'

const TYPING_PAUSE = 1_500 // ms without a keystroke before a draft is saved automatically
const RETRY_PAUSE = 10_000 // ms until a failed save is retried, unless the server names a time
const SECOND = 1_000 // ms

/** Id of the element with both versions. */
export const NEWER_VERSION_ID = 'newer-version'

/** An unsaved draft. */
interface Draft<Values> {
  values: Values
  /** The version that the values are based on. */
  version: number
}

/** What the values in the form are based on. */
interface Base<Item, Values> {
  /** The server's object; undefined for a new one. */
  item: Item | undefined
  values: Values
  /** Zero for a new object. A draft may be based on an older version than that of `item`. */
  version: number
}

/** A save that is in progress or has failed. */
interface Attempt<Values> {
  /** The id of the object; the form may have become a new one meanwhile. */
  id: string
  values: Values
  /** Why it failed; absent while it is in progress. */
  problem?: Problem
}

interface Options<Item, Values> extends ErrorOptions<Values> {
  /** The server's current object; undefined for a new one. */
  item: Item | undefined
  /** The object was deleted on the server. */
  isDeleted: boolean
  /** Return the name of its draft; `id` is null while the server does not have the object. */
  draftName: (id: string | null) => string
  valuesOf: (item: Item) => Values
  /** Initial values of a new object. */
  empty: Values
  /** Return the initial values of a new object that continues with `values`. */
  emptyLike: (values: Values) => Values
  /** Return whether the values are not worth a draft. */
  isBlank: (values: Values) => boolean
  /** Return whether it is saved automatically: drafts are, scheduled posts only on request. */
  savesItself: (saved: Item | undefined) => boolean
  create: (id: string, values: Values) => Promise<Item>
  edit: (change: { id: string; values: Values; saved: Item | undefined; version: number; approved: boolean }) => Promise<Item>
  queryKey: (id: string) => QueryKey
  /** Called once the server has the object, unless the form was left meanwhile. */
  onCreated: (id: string) => void
  /** Shown to users who leave the page with unsaved changes. */
  draftNotice: string
}

/** State of a form that is saved automatically as a draft, with handling of changes made elsewhere meanwhile. */
export function useSelfSaving<Item extends { id: string; version: number }, Values extends object>(options: Options<Item, Values>) {
  const { item, isDeleted, isBlank } = options
  const queryClient = useQueryClient()
  const stored = useDraftOf<Draft<Values>>(item?.id, options.draftName)
  const { id, draft } = stored
  const state = useFormState(options, id, stored.initialDraft)
  const { form, errors, base, changes, attempt, saving, retryIn, mayHaveArrived, current, newer } = state
  const { values } = form
  const { version } = base
  /** The server's object. A change of state, such as publishing, does not change its version. */
  const saved = current?.version === base.item?.version ? current : base.item
  const savesItself = options.savesItself(saved)
  const isGone = isDeleted && current !== undefined
  const { save, savedAt, forgetSaving, queue } = useSave(options, state, stored, saved)
  const conflict = useConflict(state, options.valuesOf)

  useEffect(() => {
    if (changes > 0) draft.keep({ values, version })
    else draft.drop()
  }, [draft, changes, values, version])
  useDraftNotice(changes > 0 && !(savesItself && isBlank(values)), options.draftNotice)

  /** Show a failed save. `movesFocus`: focus the first invalid field, after an action of the user. */
  const show = (error: unknown, movesFocus = true) => {
    const problem = toProblem(error)
    if (problem.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: options.queryKey(id) })
    errors.show(problem, movesFocus)
  }

  const isRefused = attempt?.problem && !mayHaveArrived && changedFields(values, attempt.values).length === 0
  const due = savesItself && !saving && changes > 0 && !newer && !isGone && !isRefused && !(isBlank(values) && version === 0)
  useAutosave({ due, values, attempt, retryIn }, () => {
    if (errors.showMissing(false)) return
    // not after a requested save: it would make another version of the object that is about to be published
    if (!queue.isBusy()) save().catch((error: unknown) => show(error, false))
  })

  /** Save if needed and return the saved object for the next action; undefined if that failed, which is shown. */
  const settle = async (approved = false): Promise<Item | undefined> => {
    if (isGone) return undefined
    if (conflict) {
      document.getElementById(NEWER_VERSION_ID)?.focus()
      return undefined
    }
    if (errors.showMissing(true)) return undefined
    // by the command itself, since the last render
    const isChanged = state.latestVersion() === version && changedFields(form.getValues(), values).length > 0
    if (changes === 0 && !isChanged && !approved && version > 0 && !queue.isBusy()) return saved
    try {
      return await save(approved)
    } catch (error) {
      show(error)
      return undefined
    }
  }

  return {
    id,
    form,
    saved,
    changes,
    saving,
    savedAt,
    savesItself,
    message: errors.message,
    /** Whether a failed save is retried automatically. */
    triesAgain: retryIn !== undefined && due,
    /** Whether the object was deleted elsewhere. */
    isGone,
    /** Turn the values into a new draft. */
    asNew: () => {
      stored.startNew()
      state.startNew(options.emptyLike(values))
      forgetSaving()
    },
    settle,
    /** Return the id; a new object is saved as a draft first, an existing one is not saved. */
    stored: async (): Promise<string | undefined> => {
      await queue.idle()
      return state.latestVersion() > 0 || (await settle()) ? id : undefined
    },
    show,
    conflict,
  }
}

/** The values in the form, what they are based on, and the last attempt to save them. */
function useFormState<Item extends { id: string; version: number }, Values extends object>(
  options: Options<Item, Values>,
  id: string,
  initialDraft: Draft<Values> | undefined,
) {
  const { item, valuesOf } = options
  const [base, setBase] = useState<Base<Item, Values>>(() => ({
    item,
    values: item ? valuesOf(item) : options.empty,
    version: initialDraft?.version ?? item?.version ?? 0,
  }))
  const { version } = base
  const latestVersion = useRef(version)
  const [lastAttempt, setAttempt] = useState<Attempt<Values>>()
  const attempt = lastAttempt?.id === id ? lastAttempt : undefined
  const form = useForm<Values>({ initialValues: initialDraft?.values ?? base.values })
  const errors = useSaveErrors(form, options)

  const changes = changedFields(form.values, base.values).length
  const saving = attempt !== undefined && !attempt.problem
  const retryIn = attempt?.problem && retryDelay(attempt.problem)
  const mayHaveArrived = saving || retryIn !== undefined
  const current = item?.id === id ? item : undefined
  const newer = current && current.version > version && !saving ? current : undefined

  const baseOn = (next: Base<Item, Values>) => {
    setBase(next)
    setAttempt(undefined)
  }
  const baseOf = (next: Item) => ({ item: next, values: valuesOf(next), version: next.version })
  if (newer && changes === 0) {
    // changed elsewhere without changes here: show the newer version
    baseOn(baseOf(newer))
    form.setValues(valuesOf(newer))
  } else if (newer && attempt && mayHaveArrived && changedFields(attempt.values, valuesOf(newer)).length === 0) {
    // the newer version is the one sent from here, whose response was lost
    baseOn(baseOf(newer))
    errors.clear()
  }
  useEffect(() => {
    latestVersion.current = version
  }, [version])

  return {
    form,
    errors,
    base,
    changes,
    attempt,
    setAttempt,
    saving,
    /** The ms until a failed save is retried. */
    retryIn,
    /** Whether the values sent last may have reached the server, which has not confirmed it. */
    mayHaveArrived,
    /** The object of the page, unless the form has become a new one. */
    current,
    /** The server's version, saved elsewhere. */
    newer,
    /** The version of the base, for calls that begin before the next render. */
    latestVersion: () => latestVersion.current,
    /** Base the form on `next`, and show `shown` in it. */
    rebase: (next: Item, shown: Values) => {
      latestVersion.current = next.version
      baseOn(baseOf(next))
      errors.clear()
      form.setValues(shown)
    },
    /** Base the form on a new object with the values `empty`. */
    startNew: (empty: Values) => {
      latestVersion.current = 0
      baseOn({ item: undefined, values: empty, version: 0 })
      errors.clear()
    },
  }
}

type FormState<Item extends { id: string; version: number }, Values extends object> = ReturnType<typeof useFormState<Item, Values>>

/** Return what saves the form's values, one save after the other, and when that was last done. */
function useSave<Item extends { id: string; version: number }, Values extends object>(
  options: Options<Item, Values>,
  { form, setAttempt, mayHaveArrived, latestVersion, rebase }: FormState<Item, Values>,
  { id, markStored }: { id: string; markStored: () => void },
  saved: Item | undefined,
) {
  const queryClient = useQueryClient()
  const queue = useQueue()
  const isMounted = useIsMounted()
  const [savedAt, setSavedAt] = useState<Date>()

  const send = async (approved: boolean): Promise<Item> => {
    const sent = form.getValues()
    const isNew = latestVersion() === 0
    setAttempt({ id, values: sent })
    try {
      const answer = isNew
        ? await options.create(id, sent)
        : await options.edit({ id, values: sent, saved, version: latestVersion(), approved })
      const savedValues = options.valuesOf(answer)
      // the response to a repeated create is the existing object; changes since the first try are still unsaved
      const sentValues = isNew && mayHaveArrived ? savedValues : sent
      rebase(answer, withLaterEdits(savedValues, sentValues, form.getValues()))
      setSavedAt(new Date())
      queryClient.setQueryData(options.queryKey(id), answer)
      if (isNew) {
        markStored()
        // the page that is open by now keeps its address
        if (isMounted()) options.onCreated(id)
      }
      return answer
    } catch (error) {
      setAttempt({ id, values: sent, problem: toProblem(error) })
      throw error
    }
  }
  return {
    /** Save after the save in progress. Reject with the server's problem. */
    save: (approved = false) => queue.run(() => send(approved)),
    savedAt,
    forgetSaving: () => setSavedAt(undefined),
    queue,
  }
}

/** Return the version saved elsewhere while there are changes here, and the ways to go on. */
function useConflict<Item extends { id: string; version: number }, Values extends object>(
  { form, base, changes, newer, rebase }: FormState<Item, Values>,
  valuesOf: (item: Item) => Values,
) {
  const { t } = useTranslation()
  const { values } = form
  if (!newer || changes === 0) return undefined
  return {
    theirs: newer,
    /** The values that both versions are based on. */
    before: base.values,
    /** Load the newer version, with an undo that restores the typed values. */
    load: () => {
      rebase(newer, valuesOf(newer))
      showUndo({ message: t('drafts.loadedNewer'), label: t('undo'), undo: () => form.setValues(values) })
    },
    /** Keep the changes made here, over the newer version. */
    keepMine: () => rebase(newer, withLaterEdits(valuesOf(newer), base.values, values)),
  }
}

/** Return the id of the object and its draft, whose name tells whether the server has the object. */
function useDraftOf<Values>(storedId: string | undefined, nameOf: (id: string | null) => string) {
  const [id, setId] = useState(() => storedId ?? newRequestId())
  const [isStored, setStored] = useState(storedId !== undefined)
  const draft = useDraft<Values>(nameOf(isStored ? id : null))
  const [initialDraft] = useState(draft.read)
  return {
    id,
    draft,
    /** The draft as it was when the form was opened. */
    initialDraft,
    markStored: () => {
      draft.drop()
      setStored(true)
    },
    startNew: () => {
      draft.drop()
      setId(newRequestId())
      setStored(false)
    },
  }
}

/** Return the ms until a failed save is retried; undefined if the server refused the values. */
function retryDelay({ status, params }: Problem): number | undefined {
  const isAway = status === 0 || status === 429 || status >= 500
  return isAway ? Number(params.retry_after) * SECOND || RETRY_PAUSE : undefined
}

interface AutosaveOptions {
  due: boolean
  values: object
  attempt: object | undefined
  retryIn: number | undefined
}

/** Save changed values after a pause in typing; after a failed save later, or as soon as the browser is online. */
function useAutosave({ due, values, attempt, retryIn }: AutosaveOptions, save: () => void) {
  const saveNow = useEffectEvent(save)
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(() => saveNow(), retryIn ?? TYPING_PAUSE)
    const onOnline = () => saveNow()
    if (retryIn) window.addEventListener('online', onOnline)
    return () => {
      clearTimeout(timer)
      window.removeEventListener('online', onOnline)
    }
    // debounce: restart on every keystroke, and after each attempt
  }, [due, values, attempt, retryIn])
}
