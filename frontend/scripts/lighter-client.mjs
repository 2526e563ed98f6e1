// The generator writes one module for all values, and calls that we never make: a page would load them for one word.
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const root = process.argv[2]

/** Each set of values becomes a module of its own, found under the same name as before. */
function valuesApart() {
  const file = `${root}/types.gen.ts`
  const folder = `${root}/values`
  const source = readFileSync(file, 'utf8')
  mkdirSync(folder, { recursive: true })
  const names = []
  const left = source.replaceAll(
    /export const (\w+) = \{.*?\} as const;\n+(?:\/\*\*.*?\*\/\n)?export type \1 = [^\n]*;\n/gs,
    (both, name) => {
      writeFileSync(`${folder}/${name}.gen.ts`, both)
      names.push(name)
      return ''
    },
  )
  if (names.length === 0 || left.includes('export const ')) throw new Error(`${file} is not written as expected`)
  const imports = names.map((name) => `import { ${name} } from './values/${name}.gen';\n`)
  writeFileSync(file, `${imports.join('')}${left}\nexport { ${names.join(', ')} };\n`)
}

/** Takes these out of a file, once each. */
function without(file, ...patterns) {
  let source = readFileSync(file, 'utf8')
  for (const pattern of patterns) {
    if (!pattern.test(source)) throw new Error(`${file} does not match ${pattern}`)
    source = source.replace(pattern, '')
  }
  writeFileSync(file, source)
}

/** What streams is asked for by lib/live.ts. */
function withoutStreams() {
  without(
    `${root}/client/client.gen.ts`,
    /import \{ createSseClient \} from [^\n]*\n/,
    / {2}const makeSseFn = .*?\n {2}\};\n/s,
    / {4}sse: \{.*?\n {4}\},\n/s,
  )
  without(
    `${root}/client/types.gen.ts`,
    /(?<=export type Client = CoreClient<[^;]*), SseFn(?=>)/,
    / {2}ServerSentEventsResult,\n/,
    /type SseFn = <.*?\n\) => [^\n]*\n/s,
  )
  without(`${root}/index.ts`, /export \{ streamChanges \} from '\.\/sdk\/live\.gen';\n/)
  rmSync(`${root}/sdk/live.gen.ts`)
}

valuesApart()
withoutStreams()
