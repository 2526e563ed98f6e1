import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TagCount } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'

const MOST = 100 // options at once; the search finds all

interface TagFilterProps {
  /** Undefined until loaded. */
  tags: readonly TagCount[] | undefined
  value: string | null
  onChange: (tag: string | null) => void
  /** With a visible label and the width of other fields. */
  labelled?: boolean
}

/** Filter a list by one tag. Renders nothing if there are no tags. */
export function TagFilter({ tags = [], value, onChange, labelled = false }: TagFilterProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const isChosen = (tag: string) => tag.toLowerCase() === value?.toLowerCase()
  const chosen = tags.find(({ tag }) => isChosen(tag))?.tag ?? value
  const data = tags.map(({ tag, count }) => ({ value: tag, label: `${tag} (${format.number(count)})` }))
  // keep a tag of the URL that no item has any more, so that it can be cleared
  if (chosen !== null && !tags.some(({ tag }) => tag === chosen)) data.unshift({ value: chosen, label: chosen })
  if (data.length === 0) return null
  return (
    <Select
      {...(labelled ? { label: t('tag') } : { className: 'list-select', 'aria-label': t('tag') })}
      placeholder={t('anyTag')}
      data={data}
      limit={MOST}
      value={chosen}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('anyTag') }}
      onChange={onChange}
    />
  )
}
