import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaOut } from '@/api/types.gen'
import { TagInput } from '@/components/tag-input'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { errorAt, fieldErrors } from '@/lib/problems'
import { imageTagsQuery, useTagImages } from '@/features/media/api'
import { useRefusalNotice } from './use-delete'

interface TagsDialogProps {
  opened: boolean
  images: readonly MediaOut[]
  onClose: () => void
}

/** The dialog that changes the tags of the selected images. */
export function TagsDialog({ opened, images, onClose }: TagsDialogProps) {
  const { t } = useTranslation(['common', 'media'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('media:tagsTitle', { count: images.length })}>
      <TagsForm images={images} onDone={onClose} />
    </Modal>
  )
}

/** The tags that all images have in common: added ones are added to all, removed ones removed from all. */
function TagsForm({ images, onDone }: { images: readonly MediaOut[]; onDone: () => void }) {
  const { t } = useTranslation(['common', 'errors', 'media'])
  const [common] = useState(() => commonTags(images))
  const [tags, setTags] = useState(common)
  const knownTags = useQuery(imageTagsQuery)
  const change = useTagImages()
  const showRefusals = useRefusalNotice()
  const [error, setError] = useState<string>()
  const save = useOneAtATime(async () => {
    const added = tags.filter((tag) => !common.includes(tag))
    const removed = common.filter((tag) => !tags.includes(tag))
    const outcome = await change.mutateAsync({ images, added, removed })
    // a tag is invalid for all images or for none
    const [wrong] = outcome.refused.flatMap(({ problem }) => errorAt(fieldErrors(t, problem), 'tags') ?? [])
    setError(wrong)
    if (wrong) return
    showRefusals('media:tagFailed', outcome)
    onDone()
  })
  return (
    <form
      className="stack"
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void save()
      }}
    >
      <TagInput
        label={t('media:tags')}
        description={t('media:tagsHint')}
        tags={knownTags.data}
        value={tags}
        error={error}
        onChange={setTags}
        data-autofocus
      />
      <div className="dialog-foot">
        <Button variant="default" onClick={onDone}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={change.isPending}>
          {t('media:saveTags')}
        </Button>
      </div>
    </form>
  )
}

const commonTags = ([first, ...rest]: readonly MediaOut[]) =>
  first?.tags.filter((tag) => rest.every(({ tags }) => tags.includes(tag))) ?? []
