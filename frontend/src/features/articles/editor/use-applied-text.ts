import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { showUndo } from '@/components/undo'
import type { Values } from './article-values'
import type { TextHandle } from './text-handle'
import type { ArticleForm } from './use-article'

export type Changes = Partial<Pick<Values, 'title' | 'content' | 'summary' | 'seo_title' | 'seo_description' | 'featured'>>

interface Taken {
  /** What was written. */
  what: string
  before: Changes
  after: Changes
}

/** Where what a writer has made is put, and taken back by one press as long as nothing of it was changed since. */
export function useAppliedText(form: ArticleForm, text: RefObject<TextHandle | null>) {
  const { t } = useTranslation(['common', 'articles'])
  const [last, setLast] = useState<Taken>()
  const endOffer = useRef<() => void>(undefined)
  const stands = last !== undefined && names(last.after).every((name) => form.values[name] === last.after[name])
  useEffect(() => {
    if (!stands) endOffer.current?.()
  }, [stands])

  const put = (changes: Changes) => {
    for (const name of names(changes)) {
      // with what can be undone in it
      if (name === 'content' && text.current) text.current.put(changes.content ?? '', true)
      else form.setFieldValue(name, changes[name] as never)
      form.clearFieldError(name)
    }
  }
  const back = ({ before }: Taken) => {
    endOffer.current?.()
    setLast(undefined)
    put(before)
    notifications.show({ message: t('articles:writer.undone') })
  }
  return {
    /** `before`, where other steps of the same have been put already; without a `message` nothing is told. */
    take: (what: string, changes: Changes, message = '', before: Changes = pick(form.getValues(), changes)) => {
      put(changes)
      // as the fields have it: an editor may have changed the ends of lines
      const taken = { what, before, after: pick(form.getValues(), changes) }
      setLast(taken)
      endOffer.current?.()
      endOffer.current = message ? showUndo({ message, label: t('undo'), undo: () => back(taken) }) : undefined
    },
    /** What was written last and can be taken back. */
    standing: stands ? last.what : undefined,
    back: () => last && back(last),
  }
}

export type AppliedText = ReturnType<typeof useAppliedText>

const names = (changes: Changes) => Object.keys(changes) as (keyof Changes)[]

const pick = (values: Values, changes: Changes): Changes => Object.fromEntries(names(changes).map((name) => [name, values[name]]))
