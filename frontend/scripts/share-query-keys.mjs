// The generator writes these for one file and names no way to export them; the files by tag import them.
import { readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

const SHARED = ['createQueryKey', 'createInfiniteParams']

const file = `${process.argv[2]}/@tanstack/react-query.gen.ts`
let source = readFileSync(file, 'utf8')
for (const name of SHARED) {
  const declared = `\nconst ${name} = `
  if (!source.includes(declared)) throw new Error(`${file} does not declare ${name}`)
  source = source.replace(declared, `\nexport${declared.replace('\n', ' ')}`)
}
writeFileSync(file, source)
