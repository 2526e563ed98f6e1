import type { TFunction } from 'i18next'
import { generatePath } from 'react-router'
import type { AssistantOut, FieldProblem, RunOut } from '@/api/types.gen'
import { articlePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { toFormField } from '@/features/assistants/form/form-field'

export type Tab = 'overview' | 'posts' | 'runs' | 'configuration'

export const newAssistantPath = `${paths.assistants}?new`

/** One that writes for this website. */
export const newWriterPath = (websiteId: string) => `${newAssistantPath}&website=${websiteId}`

export function assistantPath(assistantId: string, tab: Tab = 'overview'): string {
  const path = generatePath(paths.assistant, { assistantId })
  return tab === 'overview' ? path : `${path}?tab=${tab}`
}

/** A draft may have no name yet. */
export const nameText = (t: TFunction<['common', 'assistants']>, { name }: Pick<AssistantOut, 'name'>) => name || t('assistants:unnamed')

/** Where one sees what a run has made. */
export const madePath = ({ is_article, post_id }: Pick<RunOut, 'is_article'> & { post_id: string }) =>
  is_article ? articlePath(post_id) : postPath(post_id)

export const postPath = (postId: string) => generatePath(paths.post, { socialMediaPostId: postId })

/** Where it writes for a website, that is where it goes. */
function fieldOf({ website }: AssistantOut, { field }: FieldProblem): string {
  const known = toFormField(field)
  return website && known === 'account_ids' ? 'website_id' : known
}

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
      return `${assistantPath(assistant.id, 'configuration')}&field=${encodeURIComponent(fieldOf(assistant, problem))}`
  }
}
