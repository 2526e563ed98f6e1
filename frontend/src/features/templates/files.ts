import { exportTemplate, exportTemplates } from '@/api/sdk.gen'
import type { TemplateOut } from '@/api/types.gen'

const READ_WITHIN = 60_000 // ms: the browser may ask a person where to put it first

/** Has the browser save it as a download. */
function saveFile(content: Blob, name: string): void {
  const url = URL.createObjectURL(content)
  const link = Object.assign(document.createElement('a'), { href: url, download: name })
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), READ_WITHIN)
}

/** Fetched with the token, which a plain link could not carry. */
export async function saveTemplate({ id, name }: Pick<TemplateOut, 'id' | 'name'>): Promise<void> {
  const { data } = await exportTemplate({ path: { template_id: id }, parseAs: 'blob' })
  saveFile(data as Blob, `${name.replace(/[\\/:*?"<>|]/gu, '-')}.json`)
}

export async function saveAllTemplates(): Promise<void> {
  const { data } = await exportTemplates({ parseAs: 'blob' })
  saveFile(data as Blob, 'postloom-templates.json')
}
