// Write the type of the texts (src/api/texts.d.ts): the keys that every language has, each with the interpolation
// values that its text has in any language. TypeScript types the values of a JSON file as plain `string`.
// `npm run api` runs this script, too.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, URL } from 'node:url'

const folder = fileURLToPath(new URL('../src/i18n', import.meta.url))
const read = (language, file) => JSON.parse(readFileSync(join(folder, language, file), 'utf8'))

function typeOf(texts, indent) {
  const [first, ...others] = texts
  if (texts.some((text) => typeof text === 'string')) {
    const slots = texts.flatMap((text) => String(text).match(/\{\{.*?\}\}/g) ?? [])
    return slots.length > 0 ? `'${[...new Set(slots)].sort().join('')}'` : 'string'
  }
  const lines = Object.keys(first)
    .filter((key) => others.every((other) => key in other))
    .map((key) => `${indent}  '${key}': ${typeOf(texts.map((text) => text[key]), `${indent}  `)}\n`)
  return `{\n${lines.join('')}${indent}}`
}

function textTypes() {
  const languages = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const namespaces = readdirSync(join(folder, 'en'))
  const lines = namespaces.map((file) => `  ${file.replace('.json', '')}: ${typeOf(languages.map((language) => read(language, file)), '  ')}\n`)
  return `// Made by scripts/text-types.mjs (npm run texts)\nexport interface Resources {\n${lines.join('')}}\n`
}

writeFileSync(fileURLToPath(new URL('../src/api/texts.d.ts', import.meta.url)), textTypes())
