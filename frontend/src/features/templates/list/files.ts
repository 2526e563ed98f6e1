import { exportTemplate, exportTemplates } from '@/api/sdk.gen'
import type { TemplateOut } from '@/api/types.gen'
import { saveFile } from '@/lib/save-file'

/** Download a template with the token, which a plain link could not send. */
export async function saveTemplate({ id, name }: Pick<TemplateOut, 'id' | 'name'>): Promise<void> {
  const { data } = await exportTemplate({ path: { template_id: id }, parseAs: 'blob' })
  saveFile(data as Blob, `${name}.json`)
}

/** Download all templates, in several files if they exceed the import's limit. Return the number of files. */
export async function saveAllTemplates(): Promise<number> {
  let cursor: string | undefined
  let files = 0
  do {
    const { data, response } = await exportTemplates({ query: { cursor }, parseAs: 'blob' })
    cursor = nextCursor(response)
    files += 1
    const part = cursor !== undefined || files > 1 ? `-${files}` : ''
    saveFile(data as Blob, `postloom-templates${part}.json`)
  } while (cursor !== undefined)
  return files
}

/** Return the cursor of the next page from the `Link` header; undefined on the last page. */
function nextCursor({ headers }: Response): string | undefined {
  const [, address] = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '') ?? []
  return address && (new URL(address, location.origin).searchParams.get('cursor') ?? undefined)
}
