import { Button } from '@mantine/core'
import { IconTags, IconTrash, IconX } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaOut } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'

const TagsDialog = lazyPart(async () => (await import('./tags-dialog')).TagsDialog)

interface SelectionBarProps {
  images: readonly MediaOut[]
  deleting: boolean
  onDelete: () => void
  onClear: () => void
}

/** The actions for the selected images, shown instead of the filters. */
export function SelectionBar({ images, deleting, onDelete, onClear }: SelectionBarProps) {
  const { t } = useTranslation(['common', 'media'])
  const [tagging, setTagging] = useState(false)
  return (
    <div className="filters selection" role="group" aria-label={t('media:selection')}>
      <b role="status">{t('media:selected', { count: images.length })}</b>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTags size={15} aria-hidden />}
        onClick={() => setTagging(true)}
      >
        {t('media:changeTags')}
      </Button>
      <Button
        size="xs"
        variant="default"
        leftSection={<IconTrash size={15} aria-hidden />}
        loading={deleting}
        onClick={onDelete}
      >
        {t('media:delete')}
      </Button>
      <Button size="xs" variant="subtle" leftSection={<IconX size={15} aria-hidden />} onClick={onClear}>
        {t('media:clearSelection')}
      </Button>
      <TagsDialog opened={tagging} images={images} onClose={() => setTagging(false)} />
    </div>
  )
}
