import { notifications } from '@mantine/notifications'
import { lazy, Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { withRemedy } from '@/components/problem-text'
import { RowSkeletons } from '@/components/skeletons'
import { useSwitch } from '@/features/assistants/api'
import { demoQuestion, showDemoNotice } from '@/features/assistants/demo-texts'
import { assistantPath, nameText } from '@/features/assistants/links'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { validId, useUrlFilters } from '@/lib/url-filters'

const AssistantForm = lazy(async () => ({ default: (await import('@/features/assistants/form/assistant-form')).AssistantForm }))
const OwnImagesField = lazyPart(
  async () => (await import('@/features/media/pickers/own-images-field')).OwnImagesField,
)

/**
 * The form of a new assistant, a full page at the list's path with a query, since the specification has no path for it.
 */
export function NewAssistantRoute() {
  const { t } = useTranslation(['common', 'assistants', 'errors', 'navigation'])
  const navigate = useNavigate()
  const activation = useSwitch()
  const confirm = useConfirm()
  const { filter } = useUrlFilters()
  const saved = async (assistant: AssistantOut, activate: boolean) => {
    const open = () => void navigate(assistantPath(assistant.id))
    if (!activate || (assistant.asks_about_demo && !(await confirm(demoQuestion(t, assistant))))) {
      notifications.show({ message: t('assistants:form.created', { name: nameText(t, assistant) }) })
      open()
      return
    }
    activation.mutate(
      { assistant, active: true },
      {
        onSuccess: () => showDemoNotice(t, assistant),
        onError: (problem) => {
          const reason = problemText(t, problem)
          const message = t('assistants:switchFailed', { name: nameText(t, assistant), reason })
          notifications.show({ message: withRemedy(problem.code, message), color: 'red' })
        },
        // it is saved in any case: its page tells what is missing
        onSettled: open,
      },
    )
  }
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('navigation:assistants'), to: paths.assistants }]}
        title={t('assistants:form.newTitle')}
        sub={t('assistants:form.newLead')}
      />
      <Suspense fallback={<RowSkeletons rows={6} />}>
        <AssistantForm
          assistant={null}
          imagesField={OwnImagesField}
          websiteId={validId(filter('website')) ?? undefined}
          busy={activation.isPending}
          onSaved={(assistant, activate) => void saved(assistant, activate)}
        />
      </Suspense>
    </>
  )
}
