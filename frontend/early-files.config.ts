import { readFile } from 'node:fs/promises'
import { minify, type Plugin, type Rolldown } from 'vite'

/** Route → the addresses that it shows; under those with a star it shows all, and with a query only where that says so. */
const ADDRESSES = {
  account: ['/account'],
  'account-callback': ['/account/*'],
  article: ['/posts/*'],
  articles: ['/posts'],
  assistant: ['/assistants/*'],
  assistants: ['/assistants'],
  calendar: ['/calendar'],
  composer: ['/social-media-posts?compose'],
  'email-verification': ['/email-verification'],
  invitations: ['/invitations'],
  marketplace: ['/marketplace'],
  'media-gallery': ['/media-gallery'],
  'new-article': ['/posts?new'],
  'new-assistant': ['/assistants?new'],
  'new-template': ['/templates?new'],
  'privacy-policy': ['/privacy-policy'],
  signin: ['/signin'],
  signup: ['/signup'],
  'social-media-post': ['/social-media-posts/*'],
  'social-media-posts': ['/social-media-posts'],
  subscription: ['/subscription'],
  template: ['/templates/*'],
  templates: ['/templates'],
  'topic-tree': ['/topics?tree'],
  topics: ['/topics'],
  transaction: ['/transactions/*'],
  transactions: ['/transactions'],
  'verify-email': ['/verify-email'],
  website: ['/websites/*'],
  websites: ['/websites'],
}

/** The routes, each of which is loaded when its page is opened. */
export const PAGES = [...Object.keys(ADDRESSES), 'approval-link', 'dashboard', 'home', 'website-topics']

/** What a page loads beside the start, by the name under which `src/before.js` asks for it. */
function partsOfPages(): Record<string, string[]> {
  const pages = PAGES.map((page): [string, string[]] => [
    page,
    [`src/routes/${page}.tsx`, ...(page === 'topic-tree' ? ['src/routes/topics-data.ts'] : [])],
  ])
  return { frame: ['src/app/user-frame.tsx'], ...Object.fromEntries(pages) }
}

/** Name of each part → the files of the build that it needs and the start does not. */
function filesOfParts(chunks: readonly Rolldown.OutputChunk[]): Record<string, string[]> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const withImports = (chunk: Rolldown.OutputChunk, found = new Set<Rolldown.OutputChunk>()) => {
    if (found.has(chunk)) return found
    found.add(chunk)
    for (const file of chunk.imports) {
      const imported = byFile.get(file)
      if (imported) withImports(imported, found)
    }
    return found
  }
  const start = new Set(chunks.filter((chunk) => chunk.isEntry).flatMap((chunk) => [...withImports(chunk)]))
  const filesOf = (modules: string[]) => {
    const files = modules.flatMap((module) => {
      const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`))
      if (!chunk) throw new Error(`${module} is no part of the build that is loaded when it is needed`)
      const own = [...withImports(chunk)].filter((one) => !start.has(one))
      return own.flatMap((one) => [one.fileName, ...(one.viteMetadata?.importedCss ?? [])])
    })
    return [...new Set(files)]
  }
  return Object.fromEntries(Object.entries(partsOfPages()).map(([name, modules]) => [name, filesOf(modules)]))
}

/** All of that as `src/before.js` reads it: each file is named once, and pages count them. */
function early(chunks: readonly Rolldown.OutputChunk[]) {
  const byPart = filesOfParts(chunks)
  const files = [...new Set(Object.values(byPart).flat())]
  const parts = Object.entries(byPart).map(([name, own]) => [name, own.map((file) => files.indexOf(file))])
  const pages = Object.entries(ADDRESSES).flatMap(([page, addresses]) => addresses.map((address) => [address, page]))
  return { files, parts: Object.fromEntries(parts) as object, pages: Object.fromEntries(pages) as object }
}

/**
 * Gives `src/before.js` its hashed place and the names of the files that the page will ask for. Without it the browser
 * learns of them one after the other: the page names the start, the start the route, the route what it shares.
 */
export function earlyFiles(): Plugin {
  let script = ''
  return {
    name: 'early-files',
    apply: 'build',
    async generateBundle() {
      const { code: source } = await minify('before.js', await readFile(`${import.meta.dirname}/src/before.js`, 'utf8'), { module: false })
      script = this.getFileName(this.emitFile({ type: 'asset', name: 'before.js', source }))
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
        const files = JSON.stringify(early(chunks)).replaceAll('"', '&quot;')
        const named = html.replace('src="/src/before.js"', `src="/${script}" data-files="${files}"`)
        if (named === html) throw new Error('index.html does not load src/before.js')
        return named
      },
    },
  }
}
