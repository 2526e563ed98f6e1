import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import ts from 'typescript'

const SOURCE = join(import.meta.dirname, '..')
/** The modules of the web app. What openapi-ts generates is its own. */
const modules = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
  .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('api/'))
const known = new Set(modules)

/** Imports of values and of types, dynamic ones included. */
function importsOf(file: string): string[] {
  const { importedFiles } = ts.preProcessFile(readFileSync(join(SOURCE, file), 'utf8'))
  return importedFiles.flatMap(({ fileName }) => {
    const path = fileName.startsWith('.') ? relative(SOURCE, join(SOURCE, file, '..', fileName)) : fileName.replace(/^@\//, '')
    return [path, `${path}.ts`, `${path}.tsx`].filter((candidate) => known.has(candidate))
  })
}

test('no module imports itself through others', () => {
  const left = new Map(modules.map((file) => [file, importsOf(file)]))
  // take away modules whose imports are all taken away: what is left imports in a circle
  for (let before = -1; before !== left.size; ) {
    before = left.size
    for (const [file, imports] of left) if (!imports.some((one) => left.has(one))) left.delete(file)
  }
  expect([...left.keys()]).toEqual([])
})
