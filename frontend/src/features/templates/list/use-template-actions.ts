import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { TemplateInSchema } from '@/api/schemas.gen'
import type { TemplateOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { freshQueryOptions } from '@/lib/fresh-query-options'
import { cutText } from '@/lib/cut-text'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText, toProblem } from '@/lib/problems'
import { useCreateTemplate, useDeleteTemplate, usePublishTemplate, useUnpublishTemplate } from '@/features/templates/api'
import { allAssistantsQuery } from '@/lib/unpaged-lists'
import { saveTemplate } from './files'

const LONGEST_NAME = TemplateInSchema.properties.name.maxLength

/** Return the actions on a saved template, each with an undo that also works on other pages. */
export function useTemplateActions() {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const format = useFormat()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const create = useCreateTemplate()
  const remove = useDeleteTemplate()
  const publish = usePublishTemplate()
  const unpublish = useUnpublishTemplate()
  const [busy, setBusy] = useState(false)

  /** Run a call. If it fails, show why and return undefined. */
  const attempt = async <Answer>(failed: string, call: Promise<Answer>): Promise<Answer | undefined> => {
    setBusy(true)
    try {
      return await call
    } catch (error) {
      notifications.show({ color: 'red', message: `${failed} ${problemText(t, toProblem(error))}` })
      return undefined
    } finally {
      setBusy(false)
    }
  }
  const offerUndo = (message: string, undo: () => Promise<unknown>) =>
    showUndo({ message, label: t('undo'), undo: () => void undo() })

  const drop = (id: string) => attempt(t('templates:deleteFailed'), remove.mutateAsync({ path: { template_id: id } }))

  const duplicate = useOneAtATime(async (template: TemplateOut) => {
    const { type, name, language, tags, description, body, settings } = template
    const suffix = ` ${t('templates:copySuffix')}`
    const copyName = `${cutText(name, LONGEST_NAME - suffix.length)}${suffix}`
    const copy = await attempt(
      t('templates:duplicateFailed'),
      create.mutateAsync({ body: { type, name: copyName, language, tags, description, body, settings } }),
    )
    if (copy) offerUndo(t('templates:duplicated', { name: copy.name }), () => drop(copy.id))
  })
  const show = ({ id, version }: TemplateOut) =>
    attempt(
      t('templates:publish.failed'),
      publish.mutateAsync({ path: { template_id: id }, body: { version, sample_tryout_id: null } }),
    )
  const takeBack = useOneAtATime(async (template: TemplateOut) => {
    const { id, version, name } = template
    const hidden = await attempt(
      t('templates:publish.takeBackFailed'),
      unpublish.mutateAsync({ path: { template_id: id }, body: { version } }),
    )
    if (hidden) offerUndo(t('templates:publish.takenBack', { name }), () => show(hidden))
  })
  const exportOne = (template: TemplateOut) => attempt(t('templates:files.exportFailed'), saveTemplate(template))

  /** Return the assistants that use the template, which prevent its deletion. */
  const usersOf = async (templateId: string) => {
    const { items } = await queryClient.fetchQuery({ ...allAssistantsQuery, ...freshQueryOptions })
    return items.filter((assistant) => [assistant.template, assistant.image_template].some((pinned) => pinned?.template_id === templateId))
  }

  const askToDelete = async ({ id, name }: TemplateOut, onDeleted: () => void) => {
    const users = await attempt(t('templates:deleteFailed'), usersOf(id))
    if (!users) return
    if (users.length > 0) {
      const assistants = format.list(users.map((user) => user.name))
      notifications.show({ color: 'red', message: t('templates:inUse', { name, assistants }) })
      return
    }
    const sure = await confirm({
      title: t('templates:deleteTitle', { name }),
      text: t('templates:deleteText'),
      action: t('templates:delete'),
      danger: true,
    })
    if (!sure) return
    const deleted = await attempt(
      t('templates:deleteFailed'),
      remove.mutateAsync({ path: { template_id: id } }).then(() => true),
    )
    if (!deleted) return
    notifications.show({ message: t('templates:deleted', { name }) })
    onDeleted()
  }
  return { busy, duplicate, takeBack, exportOne, askToDelete }
}
