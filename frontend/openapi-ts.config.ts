import { readFileSync } from 'node:fs'
import { defineConfig } from '@hey-api/openapi-ts'

const INPUT = './openapi.json'

/** Name of each function of the client → the tag of its operation. */
function readTags(): ReadonlyMap<string, string> {
  const { paths } = JSON.parse(readFileSync(INPUT, 'utf8')) as {
    paths: Record<string, Record<string, { operationId: string; tags: [string] }>>
  }
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  return new Map(operations.map(({ operationId, tags: [tag] }) => [inCamelCase(operationId), tag]))
}

const inCamelCase = (name: string) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

const tags = readTags()
const MADE_OF_OPERATIONS = /(Infinite)?(QueryKey|Options)$|Mutation$/

/** A file for each tag: a page loads the operations of what it shows, not all that the server has. */
const byTag = (folder: string) => ({
  symbols: {
    getFilePath: ({ name }: { name: string }) => {
      const tag = tags.get(name) ?? tags.get(name.replace(MADE_OF_OPERATIONS, ''))
      return tag && `${folder}/${tag}`
    },
  },
})

export default defineConfig({
  input: INPUT,
  output: {
    path: './src/api',
    clean: true,
    postProcess: ['share-query-keys', 'lighter-client'].map((script) => ({
      command: 'node',
      args: [`scripts/${script}.mjs`, '{{path}}'],
    })),
  },
  plugins: [
    { name: '@hey-api/typescript', enums: 'javascript' },
    { name: '@hey-api/client-fetch', runtimeConfigPath: './src/lib/api-runtime', throwOnError: true },
    { name: '@hey-api/sdk', $hooks: byTag('sdk') },
    // with the tags in every query key a live event finds the queries that show what it names (app/live-updates.ts)
    { name: '@tanstack/react-query', queryKeys: { tags: true }, $hooks: byTag('@tanstack/react-query') },
  ],
})
