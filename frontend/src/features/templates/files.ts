import { exportTemplate, exportTemplates } from '@/api/sdk.gen'
import type { TemplateOut } from '@/api/types.gen'
import { saveFile } from '@/lib/save-file'

/** Fetched with the token, which a plain link could not carry. */
export async function saveTemplate({ id, name }: Pick<TemplateOut, 'id' | 'name'>): Promise<void> {
  const { data } = await exportTemplate({ path: { template_id: id }, parseAs: 'blob' })
  saveFile(data as Blob, `${name}.json`)
}

export async function saveAllTemplates(): Promise<void> {
  const { data } = await exportTemplates({ parseAs: 'blob' })
  saveFile(data as Blob, 'postloom-templates.json')
}
