import { generatePath } from 'react-router'
import { paths } from '@/lib/paths'

export const newTemplatePath = `${paths.templates}?new`

export const importTemplatesPath = `${paths.templates}?import`

export type Tab = 'editor' | 'versions'

export const templatePath = (templateId: string) => generatePath(paths.template, { templateId })

export const templateTabPath = (templateId: string, tab: Tab) =>
  tab === 'editor' ? templatePath(templateId) : `${templatePath(templateId)}?tab=${tab}`

/** Return the path to the comparison of two versions. */
export const comparePath = (templateId: string, older: number, newer: number) =>
  `${templateTabPath(templateId, 'versions')}&compare=${older}..${newer}`
