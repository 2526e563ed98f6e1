import { useForm } from '@mantine/form'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { useKeptNotice } from '@/components/use-kept-notice'
import { useLanguage } from '@/i18n/locale'
import { useTimeZone } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { withLaterEdits } from '@/lib/edits'
import { errorAt, fieldErrors, problemText, toProblem, type Problem } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'
import { postQuery, useCreatePost, useEditPost } from './api'
import { NEW_POST } from '@/lib/compose-path'
import { bodyOf, differences, empty, isBlank, valuesOf, type Values } from './composer-values'

const REST = 1_500 // ms without a key before a draft saves itself

interface Kept {
  values: Values
  /** The version that the values were typed over. */
  version: number
}

interface Options {
  /** Nothing for a new one. */
  post: PostOut | undefined
  /** When a new one is to go out. */
  at: Date | undefined
  /** It is on the server from now on. */
  onCreated: (postId: string) => void
}

/** What is written of a post. A draft saves itself; what is on its way is changed when somebody says so. */
export function useComposer({ post, at, onCreated }: Options) {
  const { t } = useTranslation()
  const zone = useTimeZone()
  const language = useLanguage()
  const queryClient = useQueryClient()
  const [id] = useState(() => post?.id ?? newRequestId())
  /** Whether the server has it. */
  const [stored, setStored] = useState(post !== undefined)
  const draft = useDraft<Kept>(`post:${stored ? id : NEW_POST}`)
  const [kept] = useState(draft.read)
  /** As the server has it. */
  const [known, setKnown] = useState(post)
  const [saved, setSaved] = useState(() => (post ? valuesOf(post) : empty(zone, language, at)))
  const [savedAt, setSavedAt] = useState<Date>()
  const [saving, setSaving] = useState(false)
  const [message, setMessage] = useState<string>()
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
  const onItsWay = (known?.deliveries ?? []).some(({ state }) => state === 'pending' || state === 'retrying')
  const savesItself = !onItsWay && known?.status !== 'failed'
  const newer = post && post.version > version && !saving ? post : undefined

  const typedOver = (next: number) => {
    latest.current = next
    setVersion(next)
  }

  const take = (next: PostOut) => {
    draft.drop()
    typedOver(next.version)
    setKnown(next)
    setSaved(valuesOf(next))
    setMessage(undefined)
    form.setValues(valuesOf(next))
    form.clearErrors()
  }
  // changed elsewhere while nothing was typed here: the newer one is simply shown
  if (newer && changes === 0) {
    setVersion(newer.version)
    setKnown(newer)
    setSaved(valuesOf(newer))
    form.setValues(valuesOf(newer))
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
    setSaving(true)
    setMessage(undefined)
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
      const isNew = latest.current === 0
      typedOver(answer.version)
      const theirs = valuesOf(answer)
      setKnown(answer)
      setSaved(theirs)
      setSavedAt(new Date())
      form.setValues(withLaterEdits(theirs, sent, form.getValues()))
      form.clearErrors()
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
  const show = (error: unknown) => {
    const problem: Problem = toProblem(error)
    if (problem.code === 'stale_version') void queryClient.invalidateQueries({ queryKey: postQuery(id).queryKey })
    const found = fieldErrors(t, problem)
    const errors = { ...found }
    for (const field of ['account_ids', 'files', 'tags']) {
      const error = errorAt(found, field)
      if (error) errors[field] = error
    }
    form.setErrors(errors)
    setMessage(problem.errors.length === 0 ? `${t('composer.saveFailed')} ${problemText(t, problem)}` : undefined)
  }
  const saveItself = useEffectEvent(() => {
    // behind one that somebody asked for, it would make another version of what that one is about to publish
    if (begun.current === 0) save().catch(show)
  })
  const due = savesItself && changes > 0 && !saving && !newer && !(isBlank(values) && version === 0)
  useEffect(() => {
    if (!due) return
    const timer = setTimeout(saveItself, REST)
    return () => clearTimeout(timer)
    // each key begins the rest anew
  }, [due, values])

  /** The post as it is saved, for what is to follow; nothing where that failed, which is shown. */
  const settle = async (approved = false): Promise<PostOut | undefined> => {
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
    /** Changed elsewhere while something was typed here. */
    newer: changes > 0 ? newer : undefined,
    settle,
    /** Its id, for what is made for it: a new one becomes a draft, what is on its way stays as it is. */
    stored: async (): Promise<string | undefined> => {
      await underWay.current?.catch(() => undefined)
      return latest.current > 0 || (await settle()) ? id : undefined
    },
    show,
    loadNewer: take,
    /** Go on with what was typed, over the newer version. */
    keepMine: (next: PostOut) => {
      typedOver(next.version)
      setKnown(next)
      setSaved(valuesOf(next))
    },
  }
}

export type ComposerForm = ReturnType<typeof useComposer>['form']
