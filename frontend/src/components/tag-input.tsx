import { TemplateInSchema } from '@/api/schemas.gen'
import type { TagCount } from '@/api/types.gen'
import { ListInput, type ListInputProps } from './list-input'

const MOST = TemplateInSchema.properties.tags.maxItems // the same for all that has tags
const OFFERED = 50

interface TagInputProps extends Omit<ListInputProps, 'data' | 'limit' | 'maxTags'> {
  /** The user's tags so far, most used first; undefined until loaded. */
  tags: readonly TagCount[] | undefined
}

/** Tags to type or choose. Suggestions open on typing, not on focus, where they would cover the next fields. */
export function TagInput({ tags = [], ...props }: TagInputProps) {
  return <ListInput data={tags.map(({ tag }) => tag)} limit={OFFERED} maxTags={MOST} openOnFocus={false} {...props} />
}
