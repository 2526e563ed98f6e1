import { TagsInput } from '@mantine/core'
import type { TagsInputProps } from '@mantine/core'
import { TemplateInSchema } from '@/api/schemas.gen'
import type { TagCount } from '@/api/types.gen'

const MOST = TemplateInSchema.properties.tags.maxItems // the same for all that has tags
const OFFERED = 50

interface TagInputProps extends Omit<TagsInputProps, 'data' | 'limit' | 'maxTags'> {
  /** The user's tags so far, most used first; undefined until loaded. */
  tags: readonly TagCount[] | undefined
}

/** Tags to type or choose. Suggestions open on typing, not on focus, where they would cover the next fields. */
export function TagInput({ tags = [], ...props }: TagInputProps) {
  return <TagsInput data={tags.map(({ tag }) => tag)} limit={OFFERED} maxTags={MOST} openOnFocus={false} {...props} />
}
