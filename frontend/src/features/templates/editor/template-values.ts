import type { TemplateOut, TemplateType } from '@/api/types.gen'
import type { Language } from '@/i18n/languages'
import { settingsOf, type Settings } from './settings'

/** The values in the editor of a template. */
export interface Values {
  name: string
  type: TemplateType
  language: Language
  tags: string[]
  description: string
  body: string
  settings: Settings
}

/** Return the values of a template as the server has it. */
export const valuesOf = ({ name, type, language, tags, description, body, settings }: TemplateOut): Values => ({
  name,
  type,
  language,
  tags,
  description,
  body,
  settings: settingsOf(settings),
})

/** Return the initial values of a new template. */
export const emptyValues = (language: Language): Values => ({
  name: '',
  type: 'text',
  language,
  tags: [],
  description: '',
  body: '',
  settings: settingsOf(),
})

/** Unsaved values, and the version that they are based on. */
export interface TemplateDraft {
  values: Values
  version: number
}

/** Return the name of the draft in which unsaved values are kept. */
export const draftName = (templateId: string | undefined) => `template:${templateId ?? 'new'}`
