import type { AssistantOut, FieldProblem } from '@/api/types.gen'
import type { TFunction } from '@/i18n/translate'
import { paths } from '@/lib/paths'
import { generatePath } from '@/lib/router/address'
import { toFormField } from './form-field'

export type Tab = 'overview' | 'posts' | 'runs' | 'configuration'

export const newAssistantPath = `${paths.assistants}?new`

export function assistantPath(assistantId: string, tab: Tab = 'overview'): string {
  const path = generatePath(paths.assistant, { assistantId })
  return tab === 'overview' ? path : `${path}?tab=${tab}`
}

/** The run in its drawer, over the list of all. */
export const runPath = (assistantId: string, runId: string) => `${assistantPath(assistantId, 'runs')}&run=${runId}`

/** A draft may have no name yet. */
export const nameText = (t: TFunction, { name }: Pick<AssistantOut, 'name'>) => name || t('assistants.unnamed')

export const postPath = (postId: string) => generatePath(paths.post, { socialMediaPostId: postId })

/** The place where a missing thing is made up for: mostly its field, else the page of what it names. */
export function fixPath(assistant: AssistantOut, problem: FieldProblem): string {
  const template = (templateId: string | undefined) =>
    templateId ? generatePath(paths.template, { templateId }) : paths.templates
  switch (problem.code) {
    case 'topic_tree_empty':
      return paths.topics
    case 'template_needs_topic':
      return template(assistant.template?.template_id)
    case 'image_template_needs_content':
      return template(assistant.image_template?.template_id)
    default:
      return `${assistantPath(assistant.id, 'configuration')}&field=${encodeURIComponent(toFormField(problem.field))}`
  }
}
