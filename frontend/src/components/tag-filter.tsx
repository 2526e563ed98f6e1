import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TagCount } from '@/api/types.gen'
import { useFormat } from '@/i18n/use-format'

const MOST = 100 // options at once; the search finds all

interface TagFilterProps {
  /** Nothing until the server has answered. */
  known: readonly TagCount[] | undefined
  value: string | null
  onChange: (tag: string | null) => void
  /** Among other fields: with its label in sight, and as wide as they are. */
  labelled?: boolean
}

/** Narrows a list to what has one tag. Not there where there are no tags. */
export function TagFilter({ known = [], value, onChange, labelled = false }: TagFilterProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const same = (tag: string) => tag.toLowerCase() === value?.toLowerCase()
  const chosen = known.find(({ tag }) => same(tag))?.tag ?? value
  const data = known.map(({ tag, count }) => ({ value: tag, label: `${tag} (${format.number(count)})` }))
  // one from the address that nothing has any more can still be taken out
  if (chosen !== null && !known.some(({ tag }) => tag === chosen)) data.unshift({ value: chosen, label: chosen })
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
