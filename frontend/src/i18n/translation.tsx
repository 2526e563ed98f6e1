import { cloneElement, Fragment, useSyncExternalStore, type ReactElement, type ReactNode } from 'react'
import { spoken, watchLanguage } from '.'
import type { TextName, Translation, Values } from './translate'

/** The texts in the language of the interface: `t('common.save')`. Draws again when the language changes. */
export const useTranslation = (): Translation => useSyncExternalStore(watchLanguage, spoken)

interface TransProps {
  name: TextName
  values?: Values
  /** Name of a tag in the text → what stands around its words. */
  components: Record<string, ReactElement>
}

/** A text with tags, such as links in a sentence. */
export function Trans({ name, values, components }: TransProps) {
  const { pattern, fill } = useTranslation()
  return withTags(pattern(name, values), components, (words) => fill(words, values))
}

const TAG = /<(\w+)>(.*?)<\/\1>/s

/** The values come after the tags, so that a name with a tag in it is only a name. */
function withTags(text: string, components: TransProps['components'], say: (words: string) => string): ReactNode {
  const found = TAG.exec(text)
  if (!found) return say(text)
  const [all, tag = '', inner = ''] = found
  const before = text.slice(0, found.index)
  const words = withTags(inner, components, say)
  const element = components[tag]
  return (
    <>
      {say(before)}
      {element ? cloneElement(element, {}, words) : <Fragment>{words}</Fragment>}
      {withTags(text.slice(found.index + all.length), components, say)}
    </>
  )
}
