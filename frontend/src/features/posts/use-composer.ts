import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react'
import type { PostOut } from '@/api/types.gen'
import { withRemedy } from '@/components/problem-text'
import { showUndo } from '@/components/undo'
import { useKeptNotice } from '@/components/use-kept-notice'
import { useLanguage } from '@/i18n/locale'
import { useTranslation } from '@/i18n/translation'
import { useTimeZone } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { withLaterEdits } from '@/lib/edits'
import { errorAt, fieldErrors, problemText, toProblem, type Problem } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'
import { postQuery, useCreatePost, useEditPost } from './api'
import { NEW_POST } from '@/lib/compose-path'
import { bodyOf, differences, empty, isBlank, valuesOf, type Values } from './composer-values'

const REST = 1_500 // ms without a key before a draft saves itself
const AGAIN = 10_000 // ms until what could not be sent is sent once more
const SECOND = 1_000 // ms

/** Where both versions are shown. */
export const NEWER = 'composer-newer'

/** In the order in which they stand. */
const WITH_ERRORS = ['account_ids', 'content', 'files', 'planned_at', 'time_zone', 'tags']

/** What can be typed or pressed in the field of that name. */
export function focusOn(field: string) {
  const place = document.querySelector(`[data-field="${field}"]`)
  const able = place?.matches('input') ? place : (place?.querySelector('textarea, input') ?? place?.querySelector('button, a'))
  if (able instanceof HTMLElement) able.focus()
}

interface Kept {
  values: Values
  /** The version that the values were typed over. */
  version: number
}

interface Options {
  /** Nothing for a new one. */
  post: PostOut | undefined
  /** The server has it no more. */
  gone: boolean
  /** When a new one is to go out. */
  at: Date | undefined
  /** It is on the server from now on. */
  onCreated: (postId: string) => void
}

/** What is written of a post. A draft saves itself; what is on its way is changed when somebody says so. */
export function useComposer({ post, gone, at, onCreated }: Options) {
  const { t } = useTranslation()
  const zone = useTimeZone()
  const language = useLanguage()
  const queryClient = useQueryClient()
  const [id, setId] = useState(() => post?.id ?? newRequestId())
  /** Whether the server has it. */
  const [stored, setStored] = useState(post !== undefined)
  const draft = useDraft<Kept>(`post:${stored ? id : NEW_POST}`)
  const [kept] = useState(draft.read)
  /** As the server has it. */
  const [known, setKnown] = useState(post)
  const [saved, setSaved] = useState(() => (post ? valuesOf(post) : empty(zone, language, at)))
  const [savedAt, setSavedAt] = useState<Date>()
  const [saving, setSaving] = useState(false)
  const [message, setMessage] = useState<ReactNode>()
  /** The server could not be reached, or had no time: when it is asked again. */
  const [away, setAway] = useState<{ again: number }>()
  /** What was sent last, as long as nobody knows whether it arrived. */
  const [unanswered, setUnanswered] = useState<Values>()
  /** The version that the values are typed over. */
  const [version, setVersion] = useState(kept?.version ?? post?.version ?? 0)
  /** The same for a call that begins before the next drawing. */
  const latest = useRef(version)
  const form = useForm<Values>({ initialValues: kept?.values ?? saved })
  const create = useCreatePost()
  const edit = useEditPost()
  const underWay = useRef<Promise<unknown>>(undefined)
  /** How many saves have begun and not ended. */
  const begun = useRef(0)
  const { values } = form
  const changes = differences(values, saved)
  const onItsWay = (known?.deliveries ?? []).some(({ state }) => state === 'pending' || state === 'retrying' || state === 'held')
  const savesItself = !onItsWay && known?.status !== 'failed'
  const isGone = gone && post?.id === id
  const newer = post && post.id === id && post.version > version && !saving ? post : undefined

  const typedOver = (next: number) => {
    latest.current = next
    setVersion(next)
  }

  /** From now on this is what the server has; what is shown is `shown`. */
  const begin = (next: PostOut, shown: Values) => {
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
  } else if (newer && unanswered && differences(unanswered, valuesOf(newer)) === 0) {
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
  useKeptNotice(changes > 0 && !(savesItself && isBlank(values)), t('composer.kept'))

  const send = async (approved: boolean): Promise<PostOut> => {
    const sent = form.getValues()
    const isNew = latest.current === 0
    setSaving(true)
    setUnanswered(sent)
    try {
      const answer =
        latest.current > 0
          ? (
              await edit.mutateAsync({
                path: { post_id: id },
                body: { ...bodyOf(sent, known), version: latest.current, approved },
              })
            ).post
          : await create.mutateAsync({ body: { ...bodyOf(sent), id } })
      const theirs = valuesOf(answer)
      // one that is there already is answered as it is, and what was typed since the first try is still to be saved
      const isAnswered = isNew && unanswered !== undefined
      begin(answer, withLaterEdits(theirs, isAnswered ? theirs : sent, form.getValues()))
      setSavedAt(new Date())
      setAway(undefined)
      queryClient.setQueryData(postQuery(id).queryKey, answer)
      if (isNew) {
        draft.drop()
        setStored(true)
        onCreated(id)
      }
      return answer
    } finally {
      setSaving(false)
    }
  }
  /** After the one that is under way. Rejects with the server's problem. */
  const save = (approved = false): Promise<PostOut> => {
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
  /** `lead`: to the first wrong field, where somebody waits for what they have asked for. */
  const show = (error: unknown, lead = true) => {
    const problem: Problem = toProblem(error)
    if (problem.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: postQuery(id).queryKey })
    const passes = problem.status === 0 || problem.status === 429 || problem.status >= 500
    setAway(passes ? { again: Number(problem.params.retry_after) * SECOND || AGAIN } : undefined)
    // the server has said that it did not take it
    if (!passes) setUnanswered(undefined)
    const found = fieldErrors(t, problem)
    const errors = { ...found }
    for (const field of ['account_ids', 'files', 'tags']) {
      const error = errorAt(found, field)
      if (error) errors[field] = error
    }
    form.setErrors(errors)
    const wrong = lead && WITH_ERRORS.find((field) => field in errors)
    if (wrong) requestAnimationFrame(() => focusOn(wrong))
    // it is saved then: only what was to follow is refused
    const said = problem.code === 'subscription_required' ? 'composer.notOut' : 'composer.saveFailed'
    setMessage(problem.errors.length === 0 ? withRemedy(problem.code, `${t(said)} ${problemText(t, problem)}`) : undefined)
  }
  const saveItself = useEffectEvent(() => {
    // behind one that somebody asked for, it would make another version of what that one is about to publish
    if (begun.current === 0) save().catch((error: unknown) => show(error, false))
  })
  const due = savesItself && !saving && changes > 0 && !newer && !isGone && !(isBlank(values) && version === 0)
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

  /** The post as it is saved, for what is to follow; nothing where that failed, which is shown. */
  const settle = async (approved = false): Promise<PostOut | undefined> => {
    if (isGone) return undefined
    if (changes > 0 && newer) {
      document.getElementById(NEWER)?.focus()
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
    onItsWay,
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
      setSaved(empty(values.zone, values.language))
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
    /** What was typed comes back by one undo. */
    loadNewer: (next: PostOut) => {
      const mine = form.getValues()
      begin(next, valuesOf(next))
      showUndo({ message: t('composer.loadedNewer'), label: t('common.undo'), undo: () => form.setValues(mine) })
    },
    /** Go on with what was changed here, over the newer version. */
    keepMine: (next: PostOut) => begin(next, withLaterEdits(valuesOf(next), saved, form.getValues())),
  }
}

export type ComposerForm = ReturnType<typeof useComposer>['form']
