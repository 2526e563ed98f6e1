import { TagsInput } from '@mantine/core'
import type { TagsInputProps } from '@mantine/core'
import type { TagCount } from '@/api/types.gen'

const MOST = 20 // as the server has it
const OFFERED = 50

interface TagInputProps extends Omit<TagsInputProps, 'data' | 'limit' | 'maxTags'> {
  /** What one has tagged with so far, most used first; nothing until the server has answered. */
  known: readonly TagCount[] | undefined
}

/** Tags to be typed, or chosen among one's own: these come with the typing, on focus alone they would hide what follows. */
export function TagInput({ known = [], ...props }: TagInputProps) {
  return <TagsInput data={known.map(({ tag }) => tag)} limit={OFFERED} maxTags={MOST} openOnFocus={false} {...props} />
}
