import { Button, Modal, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import type { TopicTreeOut } from '@/api/types.gen'
import { FormErrors } from '@/components/form-errors'
import { fieldErrors, problemText } from '@/lib/problems'
import { useRenameTree } from './api'

interface RenameDialogProps {
  tree: TopicTreeOut
  opened: boolean
  onClose: () => void
}

export function RenameDialog({ tree, opened, onClose }: RenameDialogProps) {
  const { t } = useTranslation()
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      size="md"
      title={t('topics.renameTitle')}
      closeButtonProps={{ 'aria-label': t('topics.close') }}
    >
      <RenameForm tree={tree} onDone={onClose} />
    </Modal>
  )
}

function RenameForm({ tree, onDone }: { tree: TopicTreeOut; onDone: () => void }) {
  const { t } = useTranslation()
  const rename = useRenameTree()
  const form = useForm({ initialValues: { name: tree.name }, validate: { name: isNotEmpty(t('validation.name')) } })
  const submit = form.onSubmit(({ name }) =>
    rename.mutate(
      { path: { tree_id: tree.id }, body: { name, version: tree.version } },
      { onSuccess: onDone, onError: (problem) => form.setErrors(fieldErrors(t, problem)) },
    ),
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors
        message={
          rename.error?.errors.length === 0
            ? `${t('topics.renameFailed')} ${problemText(t, rename.error)}`
            : undefined
        }
      />
      <TextInput label={t('topics.name')} maxLength={200} data-autofocus {...form.getInputProps('name')} />
      <div className="dialog-foot">
        <Button variant="default" onClick={onDone}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={rename.isPending}>
          {t('topics.rename')}
        </Button>
      </div>
    </form>
  )
}
