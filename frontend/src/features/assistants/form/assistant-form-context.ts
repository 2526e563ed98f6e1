import { createFormContext } from '@mantine/form'
import type { AssistantValues } from './form-values'

export const [AssistantFormProvider, useAssistantForm, useNewAssistantForm] = createFormContext<AssistantValues>()
