import { defineConfig } from '@hey-api/openapi-ts'

export default defineConfig({
  input: './openapi.json',
  output: { path: './src/api', clean: true },
  plugins: [
    { name: '@hey-api/typescript', enums: 'javascript' },
    { name: '@hey-api/client-fetch', runtimeConfigPath: './src/lib/api-runtime', throwOnError: true },
    '@hey-api/sdk',
    // the limits of fields, for forms
    { name: '@hey-api/schemas', type: 'form' },
    // with the tags in every query key a live event finds the queries that show what it names (app/live-updates.ts)
    { name: '@tanstack/react-query', queryKeys: { tags: true } },
  ],
})
