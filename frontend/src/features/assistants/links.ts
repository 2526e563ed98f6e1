import type { TFunction } from 'i18next'
import { generatePath } from 'react-router'
import type { AssistantOut, FieldProblem, RunOut } from '@/api/types.gen'
import { articlePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { toFormField } from '@/features/assistants/form/form-field'

export type Tab = 'overview' | 'posts' | 'runs' | 'configuration'

export const newAssistantPath = `${paths.assistants}?new`

/** Return the path to a new assistant for this website. */
export const newWriterPath = (websiteId: string) => `${newAssistantPath}&website=${websiteId}`

export function assistantPath(assistantId: string, tab: Tab = 'overview'): string {
  const path = generatePath(paths.assistant, { assistantId })
  return tab === 'overview' ? path : `${path}?tab=${tab}`
}

/** Return the assistant's name, or a placeholder if it has none. */
export const nameText = (t: TFunction<['common', 'assistants']>, { name }: Pick<AssistantOut, 'name'>) => name || t('assistants:unnamed')

/** Return the path to the post or article of a run. */
export const madePath = ({ is_article, post_id }: Pick<RunOut, 'is_article'> & { post_id: string }) =>
  is_article ? articlePath(post_id) : postPath(post_id)

export const postPath = (postId: string) => generatePath(paths.post, { socialMediaPostId: postId })

/** Return the field that shows an error; for an assistant of a website, its website. */
function fieldOf({ website }: AssistantOut, { field }: FieldProblem): string {
  const formField = toFormField(field)
  return website && formField === 'account_ids' ? 'website_id' : formField
}

/** Return the path that fixes a missing setting: mostly its field, else the page of the object. */
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
      return `${assistantPath(assistant.id, 'configuration')}&field=${encodeURIComponent(fieldOf(assistant, problem))}`
  }
}
