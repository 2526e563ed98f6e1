import { notifications } from '@mantine/notifications'
import { useTranslation } from 'react-i18next'
import type { AssistantOut } from '@/api/types.gen'
import { AssistantForm } from '@/features/assistants/form/assistant-form'
import { OwnImagesField } from '@/features/media/pickers/own-images-field'

interface AssistantConfigurationProps {
  assistant: AssistantOut
  /** The field that gets the focus. */
  startAt: string | undefined
}

export function AssistantConfiguration({ assistant, startAt }: AssistantConfigurationProps) {
  const { t } = useTranslation(['common', 'assistants'])
  return (
    <AssistantForm
      assistant={assistant}
      imagesField={OwnImagesField}
      startAt={startAt}
      onSaved={() => notifications.show({ message: t('assistants:form.saved') })}
    />
  )
}
