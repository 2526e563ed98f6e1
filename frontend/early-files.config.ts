import { readFile } from 'node:fs/promises'
import type { Plugin, Rolldown } from 'vite'

/** What a page loads beside the start, by the name under which `src/before.js` asks for it. */
const PARTS = {
  en: ['src/i18n/en.ts'],
  de: ['src/i18n/de.ts'],
  enUsers: ['src/i18n/en-users.ts'],
  deUsers: ['src/i18n/de-users.ts'],
  users: ['src/app/user-frame.tsx'],
  home: ['src/routes/home.tsx'],
  dashboard: ['src/routes/dashboard.tsx'],
  signIn: ['src/routes/signin.tsx'],
  signUp: ['src/routes/signup.tsx'],
}

/** Name of each part → the files of the build that it needs and the start does not. */
export function filesOfParts(chunks: readonly Rolldown.OutputChunk[]): Record<keyof typeof PARTS, string[]> {
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
  return Object.fromEntries(Object.entries(PARTS).map(([name, modules]) => [name, filesOf(modules)])) as Record<
    keyof typeof PARTS,
    string[]
  >
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
      const source = await readFile(`${import.meta.dirname}/src/before.js`)
      script = this.getFileName(this.emitFile({ type: 'asset', name: 'before.js', source }))
    },
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle }) {
        const chunks = Object.values(bundle ?? {}).filter((file) => file.type === 'chunk')
        const files = JSON.stringify(filesOfParts(chunks)).replaceAll('"', '&quot;')
        const named = html.replace('src="/src/before.js"', `src="/${script}" data-files="${files}"`)
        if (named === html) throw new Error('index.html does not load src/before.js')
        return named
      },
    },
  }
}
