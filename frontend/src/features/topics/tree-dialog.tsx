import { Button, Modal, Textarea, TextInput } from '@mantine/core'
import { isNotEmpty, useForm } from '@mantine/form'
import { useTranslation } from 'react-i18next'
import { TopicImportInSchema } from '@/api/schemas.gen'
import type { TopicTreeOut } from '@/api/types.gen'
import { FormErrors } from '@/components/form-errors'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { fieldErrors, problemText, type Problem } from '@/lib/problems'
import { useImportTopics, useSaveTree } from './api'

const FIELDS = TopicImportInSchema.properties

interface Values {
  name: string
  description: string
}

interface TreeFormProps {
  tree: Values
  action: string
  saving: boolean
  /** What could not be done, in front of the reason. */
  failed: string
  problem: Problem | null
  onSave: (values: Values, onProblem: (problem: Problem) => void) => void
  onCancel: () => void
}

function TreeForm({ tree, action, saving, failed, problem, onSave, onCancel }: TreeFormProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const form = useForm({
    initialValues: { name: tree.name, description: tree.description },
    validate: { name: isNotEmpty(t('validation.name')) },
  })
  const submit = form.onSubmit((values) =>
    onSave({ name: values.name.trim(), description: values.description.trim() }, (problem) =>
      form.setErrors(fieldErrors(t, problem)),
    ),
  )
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors message={problem?.errors.length === 0 ? `${failed} ${problemText(t, problem)}` : undefined} />
      <TextInput label={t('topics:name')} maxLength={FIELDS.name.maxLength} data-autofocus {...form.getInputProps('name')} />
      <Textarea
        label={`${t('topics:description')} ${t('optional')}`}
        autosize
        minRows={2}
        maxRows={8}
        maxLength={FIELDS.description.maxLength}
        {...form.getInputProps('description')}
      />
      <div className="dialog-foot">
        <Button variant="default" onClick={onCancel}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={saving}>
          {action}
        </Button>
      </div>
    </form>
  )
}

interface DialogProps {
  opened: boolean
  onClose: () => void
}

/** Name and description of a tree. */
export function TreeDialog({ tree, opened, onClose }: DialogProps & { tree: TopicTreeOut }) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('topics:editTitle')}>
      <EditForm tree={tree} onDone={onClose} />
    </Modal>
  )
}

function EditForm({ tree, onDone }: { tree: TopicTreeOut; onDone: () => void }) {
  const { t } = useTranslation(['common', 'topics'])
  const save = useSaveTree()
  const saveOnce = useMutateOnce(save)
  return (
    <TreeForm
      tree={tree}
      action={t('topics:saveTree')}
      saving={save.isPending}
      failed={t('topics:saveFailed')}
      problem={save.error}
      onSave={(values, onError) =>
        saveOnce(
          { path: { tree_id: tree.id }, body: { ...values, version: tree.version } },
          { onSuccess: onDone, onError },
        )
      }
      onCancel={onDone}
    />
  )
}

/** A tree with nothing but its root. */
export function NewTreeDialog({ opened, onClose, onMade }: DialogProps & { onMade: (treeId: string) => void }) {
  const { t } = useTranslation(['common', 'topics'])
  return (
    <Modal opened={opened} onClose={onClose} title={t('topics:newTree')}>
      <NewTreeForm onMade={onMade} onCancel={onClose} />
    </Modal>
  )
}

function NewTreeForm({ onMade, onCancel }: { onMade: (treeId: string) => void; onCancel: () => void }) {
  const { t } = useTranslation(['common', 'topics'])
  const make = useImportTopics()
  const makeOnce = useMutateOnce(make)
  return (
    <TreeForm
      tree={{ name: '', description: '' }}
      action={t('topics:createTree')}
      saving={make.isPending}
      failed={t('topics:createFailed')}
      problem={make.error}
      onSave={(values, onError) =>
        makeOnce(
          // its one line is the root
          { body: { ...values, text: `- ${values.name}` } },
          { onSuccess: (tree) => onMade(tree.id), onError },
        )
      }
      onCancel={onCancel}
    />
  )
}
