import { notifications } from '@mantine/notifications'
import type { AssistantOut } from '@/api/types.gen'
import type { TFunction } from 'i18next'
import { nameText } from './links'

/** Return the question before sample texts are published to a real network. */
export const demoQuestion = (t: TFunction<['common', 'assistants']>, assistant: AssistantOut) => ({
  title: t('assistants:demoQuestion', { name: nameText(t, assistant) }),
  text: t('assistants:demoAsks'),
  action: t('assistants:demoActivate'),
})

/** Show that an activated assistant writes sample texts, unless that was asked before. */
export function showDemoNotice(t: TFunction<['common', 'assistants']>, assistant: AssistantOut) {
  if (assistant.demo_writer && !assistant.asks_about_demo) notifications.show({ message: t('assistants:demoTexts') })
}
