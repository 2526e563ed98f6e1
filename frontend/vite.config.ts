import react from '@vitejs/plugin-react'
import { visualizer } from 'rollup-plugin-visualizer'
import { defineConfig } from 'vitest/config'

/** Tests of pure code that reads what only a page has. */
const WITH_A_PAGE = [
  'src/features/assistants/schedule-text.test.ts',
  'src/features/templates/import-file.test.ts',
  'src/features/templates/tryout-view.test.ts',
  'src/features/templates/settings.test.ts',
  'src/features/templates/tryout-values.test.ts',
  'src/features/topics/import-lines.test.ts',
  'src/lib/clock.test.ts',
  'src/lib/early-requests.test.ts',
  'src/lib/live.test.ts',
  'src/lib/paths.test.ts',
  'src/lib/upload.test.ts',
]

export default defineConfig(({ mode }) => ({
  plugins: [react(), mode === 'analyze' && visualizer({ filename: 'stats.json', template: 'raw-data', gzipSize: true })],
  resolve: { alias: { '@': `${import.meta.dirname}/src` } },
  server: { proxy: { '/api': process.env.API_URL ?? 'http://127.0.0.1:8000' } },
  // every asset is a file of our own origin, so that the content security policy needs no data: addresses
  build: {
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            // what every page begins with is three files, not the fifty that pages happen to share
            { name: 'react', tags: ['$initial'], test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
            { name: 'interface', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'start', tags: ['$initial'], priority: 1 },
            // and what most pages share is one more
            { name: 'shared', minShareCount: 6 },
          ],
        },
      },
    },
  },
  test: {
    css: false,
    testTimeout: 60_000, // ms: ends what hangs; a busy machine is no failure
    projects: [
      // what needs no page gets none: making one costs a second for each file
      { extends: true, test: { name: 'rules', environment: 'node', include: ['src/**/*.test.ts'], exclude: WITH_A_PAGE } },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'jsdom',
          // one page for all files of a worker: making one for each takes longer than their tests
          isolate: false,
          setupFiles: './src/test/setup.ts',
          include: ['src/**/*.test.tsx', ...WITH_A_PAGE],
        },
      },
    ],
  },
}))
