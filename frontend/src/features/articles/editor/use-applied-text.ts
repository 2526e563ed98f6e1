import { notifications } from '@mantine/notifications'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import { showUndo } from '@/components/undo'
import type { Values } from './article-values'
import type { TextHandle } from './text-handle'
import type { ArticleForm } from './use-article'

export type Changes = Partial<Pick<Values, 'title' | 'content' | 'summary' | 'seo_title' | 'seo_description' | 'featured'>>

interface Applied {
  /** What was changed: a step, a part, a field. */
  what: string
  before: Changes
  after: Changes
}

/** Apply what a writer has written to the form, with an undo as long as none of it was changed since. */
export function useAppliedText(form: ArticleForm, text: RefObject<TextHandle | null>) {
  const { t } = useTranslation(['common', 'articles'])
  const [last, setLast] = useState<Applied>()
  /** Closes the notification with the undo. */
  const closeUndo = useRef<() => void>(undefined)
  const isUnchanged = last !== undefined && names(last.after).every((name) => form.values[name] === last.after[name])
  useEffect(() => {
    if (!isUnchanged) closeUndo.current?.()
  }, [isUnchanged])

  const applyChanges = (changes: Changes) => {
    for (const name of names(changes)) {
      // as a step in the undo history of the text
      if (name === 'content' && text.current) text.current.replace(changes.content ?? '', true)
      else form.setFieldValue(name, changes[name] as never)
      form.clearFieldError(name)
    }
  }
  const undo = ({ before }: Applied) => {
    closeUndo.current?.()
    setLast(undefined)
    applyChanges(before)
    notifications.show({ message: t('articles:writer.undone') })
  }
  return {
    /** `before`: the values that the undo restores, if earlier steps belong to it. Without a message there is no undo. */
    take: (what: string, changes: Changes, message = '', before: Changes = pick(form.getValues(), changes)) => {
      applyChanges(changes)
      // the values of the fields, since an editor may have changed line endings
      const applied = { what, before, after: pick(form.getValues(), changes) }
      setLast(applied)
      closeUndo.current?.()
      closeUndo.current = message ? showUndo({ message, label: t('undo'), undo: () => undo(applied) }) : undefined
    },
    /** What the undo reverts; undefined if there is none. */
    undoable: isUnchanged ? last.what : undefined,
    undo: () => last && undo(last),
  }
}

export type AppliedText = ReturnType<typeof useAppliedText>

const names = (changes: Changes) => Object.keys(changes) as (keyof Changes)[]

const pick = (values: Values, changes: Changes): Changes => Object.fromEntries(names(changes).map((name) => [name, values[name]]))
