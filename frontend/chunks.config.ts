import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'
import { lighterComponents } from './lighter.config'
import { inPieces } from './pieces.config'
import { pageParts } from './src/i18n/parts'

const START = 'src/main.tsx'
const FRAME = 'src/app/user-frame.tsx'
const SMALL = 1_000 // characters, before they are packed, that a page may get and not need

/** Pages without the frame of users; those that everybody has come with it, too. */
const VISITORS = new Set(['home', 'signin', 'signup'])
const EVERYBODYS = new Set(['verify-email', 'privacy-policy', 'approval-link'])

/** What becomes one file: plain chunks that the same first loads need. */
interface Part {
  loads: Set<string>
  chunks: Rolldown.OutputChunk[]
}

/** Bundles without any wish of ours, only to see what needs what: what is in a chunk is needed by the same entries. */
async function plainChunks(): Promise<Rolldown.OutputChunk[]> {
  const withoutStyles: Plugin = {
    name: 'without-styles',
    enforce: 'pre',
    load: (id) => (id.endsWith('.css') ? { code: '', moduleType: 'js' } : null),
  }
  const built = await build({
    configFile: false,
    logLevel: 'silent',
    root: import.meta.dirname,
    plugins: [withoutStyles, react(), inPieces(), lighterComponents()],
    resolve: { alias: { '@': `${import.meta.dirname}/src` } },
    build: {
      write: false,
      minify: false,
      modulePreload: false,
      rolldownOptions: { experimental: { chunkOptimization: false } },
    },
  })
  return (built as Rolldown.RolldownOutput).output.filter((file) => file.type === 'chunk')
}

/** What of the plain chunks each first load needs beside the start. */
function loadsOf(chunks: Rolldown.OutputChunk[]): Map<string, Set<Rolldown.OutputChunk>> {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const withImports = (...begin: Rolldown.OutputChunk[]) => {
    const found = new Set(begin)
    for (const chunk of found) for (const file of chunk.imports) found.add(byFile.get(file) as Rolldown.OutputChunk)
    return found
  }
  const entry = (module: string) => {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(`/${module}`))
    if (!chunk) throw new Error(`${module} is no part of the build that is loaded when it is needed`)
    return chunk
  }
  const begin = chunks.filter((chunk) => chunk.isEntry)
  const start = withImports(...begin)
  const later = (...entries: Rolldown.OutputChunk[]) =>
    new Set([...withImports(...entries)].filter((chunk) => !start.has(chunk)))
  const loads = new Map<string, Set<Rolldown.OutputChunk>>([[START, start]])
  for (const page of Object.keys(pageParts)) {
    const own = entry(`src/routes/${page}.tsx`)
    if (VISITORS.has(page) || EVERYBODYS.has(page)) loads.set(page, later(own))
    if (!VISITORS.has(page)) loads.set(`${page} of users`, later(own, entry(FRAME)))
  }
  return loads
}

/** Those that the same first loads need, together; what is the page itself has its own file anyway. */
function partsOf(chunks: Rolldown.OutputChunk[]): Part[] {
  const loads = [...loadsOf(chunks)]
  const parts = new Map<string, Part>()
  for (const chunk of chunks) {
    const own = new Set(loads.filter(([, needed]) => needed.has(chunk)).map(([name]) => name))
    if (own.size === 0 || own.has(START) || chunk.isDynamicEntry) continue
    const name = [...own].join()
    const part = parts.get(name) ?? { loads: own, chunks: [] }
    part.chunks.push(chunk)
    parts.set(name, part)
  }
  return [...parts.values()]
}

const sizeOf = (part: Part) => part.chunks.reduce((sum, chunk) => sum + chunk.code.length, 0)

const isWithin = (inner: Part, outer: Part) => [...inner.loads].every((load) => outer.loads.has(load))

/**
 * Small ones go into the nearest that all who need them load, too: a file of its own packs worse than it is small. What it
 * imports must be there in all those first loads anyway, so that nothing else follows, and no file needs itself.
 */
function withoutSmall(parts: Part[]): Part[] {
  const kept = new Set(parts)
  const tried = new Set<Part>()
  const smallest = () =>
    [...kept].filter((part) => !tried.has(part) && sizeOf(part) <= SMALL).sort((one, other) => sizeOf(one) - sizeOf(other))[0]
  for (let part = smallest(); part; part = smallest()) {
    tried.add(part)
    const small = part
    const imports = new Set(small.chunks.flatMap((chunk) => chunk.imports))
    const needed = [...kept].filter((one) => one !== small && one.chunks.some(({ fileName }) => imports.has(fileName)))
    const [nearest] = [...kept]
      .filter((one) => one !== small && isWithin(small, one) && needed.every((other) => isWithin(one, other)))
      .sort((one, other) => one.loads.size - other.loads.size)
    if (!nearest) continue
    nearest.chunks.push(...small.chunks)
    kept.delete(small)
  }
  return [...kept]
}

/**
 * Looks at which modules the first load of each page needs, and puts those that the same ones need into one file: nobody
 * loads much that is not needed, and nobody in a hundred small files, which pack badly.
 */
export function sharedFiles() {
  const files = new Map<string, string>()
  const plugin: Plugin = {
    name: 'shared-files',
    apply: 'build',
    async buildStart() {
      const parts = withoutSmall(partsOf(await plainChunks()))
      for (const [index, { chunks }] of parts.entries())
        for (const chunk of chunks) for (const module of Object.keys(chunk.modules)) files.set(module, `shared-${index}`)
    },
  }
  /** None for the page itself and for what comes later. */
  const fileOf = (module: string) => files.get(module) ?? null
  return { plugin, fileOf }
}
