import { exportTemplate, exportTemplates } from '@/api/sdk.gen'
import type { TemplateOut } from '@/api/types.gen'
import { saveFile } from '@/lib/save-file'

/** Fetched with the token, which a plain link could not carry. */
export async function saveTemplate({ id, name }: Pick<TemplateOut, 'id' | 'name'>): Promise<void> {
  const { data } = await exportTemplate({ path: { template_id: id }, parseAs: 'blob' })
  saveFile(data as Blob, `${name}.json`)
}

/** One file, or as many as can be imported again one by one. Returns how many. */
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

/** From the header `Link`, where a next one is named. */
function nextCursor({ headers }: Response): string | undefined {
  const [, address] = /<([^>]+)>; rel="next"/.exec(headers.get('Link') ?? '') ?? []
  return address && (new URL(address, location.origin).searchParams.get('cursor') ?? undefined)
}
