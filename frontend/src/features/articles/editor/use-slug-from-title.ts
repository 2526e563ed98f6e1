import { useEffect, useEffectEvent, useRef } from 'react'
import type { ArticleForm } from './use-article'

/** Keep the slug equal to the one that the title suggests, until the user changes it. A fixed slug is not changed. */
export function useSlugFromTitle(form: ArticleForm, suggested: string | undefined, isFixed: boolean): void {
  const lastSuggested = useRef<string>(undefined)
  const follow = useEffectEvent((next: string) => {
    if (isFixed) return
    const { slug } = form.getValues()
    const follows = slug === '' || slug === lastSuggested.current
    lastSuggested.current = next
    if (!follows || slug === next) return
    form.setFieldValue('slug', next)
    form.clearFieldError('slug')
  })
  useEffect(() => {
    if (suggested !== undefined) follow(suggested)
  }, [suggested])
}
