import { gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { build, type Plugin, type Rolldown } from 'vite'
import { PAGES } from './early-files.config'

const START = 'src/main.tsx'
const FRAME = 'src/app/user-frame.tsx'
const FILE = 60 // bytes that a file costs beside what is in it: it is named where it is imported

/** Pages without the frame of users; those that everybody has come with it, too. */
const VISITORS = new Set(['home', 'signin', 'signup'])
const EVERYBODYS = new Set(['verify-email', 'privacy-policy', 'approval-link'])

/** What becomes one file: plain chunks. */
interface Part {
  /** The first loads that get it. */
  loads: Set<string>
  chunks: Rolldown.OutputChunk[]
  /** Bytes as sent. */
  size: number
  /** None where it has its file anyway: a page itself. */
  fixed: boolean
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
    plugins: [withoutStyles, react()],
    resolve: { alias: { '@': `${import.meta.dirname}/src` } },
    build: {
      write: false,
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
  for (const page of PAGES) {
    const own = entry(`src/routes/${page}.tsx`)
    if (VISITORS.has(page) || EVERYBODYS.has(page)) loads.set(page, later(own))
    if (!VISITORS.has(page)) loads.set(`${page} of users`, later(own, entry(FRAME)))
  }
  return loads
}

const packed = (...chunks: Rolldown.OutputChunk[]) => gzipSync(chunks.map(({ code }) => code).join('')).length

/** Those that the same first loads need, together; what is the page itself has its own file anyway. */
function partsOf(chunks: Rolldown.OutputChunk[]): Part[] {
  const loads = [...loadsOf(chunks)]
  const parts = new Map<string, Part>()
  for (const chunk of chunks) {
    const own = new Set(loads.filter(([, needed]) => needed.has(chunk)).map(([name]) => name))
    if (own.size === 0 || own.has(START)) continue
    const fixed = chunk.isDynamicEntry
    const name = fixed ? chunk.fileName : [...own].join()
    const part = parts.get(name) ?? { loads: own, chunks: [], size: 0, fixed }
    part.chunks.push(chunk)
    parts.set(name, part)
  }
  for (const part of parts.values()) part.size = packed(...part.chunks)
  return [...parts.values()]
}

/** What two parts are as one, and how many bytes all first loads get less by it. */
function joined(one: Part, other: Part) {
  const loads = new Set([...one.loads, ...other.loads])
  const both = one.loads.size + other.loads.size - loads.size
  const saved = (size: number) => {
    const before = one.loads.size * one.size + other.loads.size * other.size
    return before - loads.size * size + both * FILE
  }
  // packing never makes one of two smaller than the larger of them
  if (saved(Math.max(one.size, other.size)) <= 0) return { saves: 0 }
  const chunks = [...one.chunks, ...other.chunks]
  const part: Part = { loads, chunks, size: packed(...chunks), fixed: false }
  return { part, saves: saved(part.size) }
}

/**
 * Whether nothing else follows where it is loaded, and it does not need itself: all that it imports must be in all its
 * first loads anyway.
 */
function isWhole(part: Part, others: readonly Part[]): boolean {
  const holder = new Map(others.flatMap((other) => other.chunks.map(({ fileName }) => [fileName, other] as const)))
  const own = new Set(part.chunks.map(({ fileName }) => fileName))
  const importsOf = ({ chunks }: Part) => chunks.flatMap(({ imports }) => imports)
  const held = (file: string) => holder.get(file) ?? []
  const needed = new Set(importsOf(part).flatMap(held))
  const isThere = ({ loads }: Part) => [...part.loads].every((load) => loads.has(load))
  if (![...needed].every(isThere)) return false
  // grows while it is gone through
  for (const other of needed)
    for (const file of importsOf(other)) {
      if (own.has(file)) return false
      for (const next of [held(file)].flat()) needed.add(next)
    }
  return true
}

/**
 * Joins what all first loads together get fewer bytes by: a file of its own packs worse than it is small, and what is
 * not needed costs those who get it.
 */
function fewer(all: Part[]): Part[] {
  let parts = all
  const known = new Map<Part, Map<Part, ReturnType<typeof joined>>>()
  const join = (one: Part, other: Part) => {
    const others = known.get(one) ?? new Map<Part, ReturnType<typeof joined>>()
    known.set(one, others)
    const join = others.get(other) ?? joined(one, other)
    others.set(other, join)
    return join
  }
  for (;;) {
    const free = parts.filter(({ fixed }) => !fixed)
    const pairs = free.flatMap((one, index) =>
      free.slice(index + 1).map((other) => ({ one, other, ...join(one, other) })),
    )
    const without = ({ one, other }: { one: Part; other: Part }) => parts.filter((part) => part !== one && part !== other)
    const best = pairs
      .filter(({ saves }) => saves > 0)
      .sort((a, b) => b.saves - a.saves)
      .find((pair) => pair.part && isWhole(pair.part, without(pair)))
    if (!best?.part) return free
    parts = [...without(best), best.part]
  }
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
      const parts = fewer(partsOf(await plainChunks()))
      for (const [index, { chunks }] of parts.entries())
        for (const chunk of chunks) for (const module of Object.keys(chunk.modules)) files.set(module, `shared-${index}`)
    },
  }
  /** None for the page itself and for what comes later. */
  const fileOf = (module: string) => files.get(module) ?? null
  return { plugin, fileOf }
}
