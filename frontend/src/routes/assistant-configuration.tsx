import { notifications } from '@mantine/notifications'
import type { AssistantOut } from '@/api/types.gen'
import { AssistantForm } from '@/features/assistants/assistant-form'
import { OwnImagesField } from '@/features/media/own-images-field'
import { useTranslation } from '@/i18n/translation'

interface AssistantConfigurationProps {
  assistant: AssistantOut
  /** The field that it begins at. */
  startAt: string | undefined
}

export function AssistantConfiguration({ assistant, startAt }: AssistantConfigurationProps) {
  const { t } = useTranslation()
  return (
    <AssistantForm
      assistant={assistant}
      imagesField={OwnImagesField}
      startAt={startAt}
      onSaved={() => notifications.show({ message: t('assistantForm.saved') })}
    />
  )
}
