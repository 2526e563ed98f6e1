/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os'
import { constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

/** Tests of functions that need a document or browser storage. */
const NEEDS_DOM = [
  'src/before.test.ts',
  'src/features/assistants/schedule-text.test.ts',
  'src/features/templates/list/import-file.test.ts',
  'src/features/templates/tryouts/tryout-view.test.ts',
  'src/features/templates/editor/settings.test.ts',
  'src/features/topics/import/import-lines.test.ts',
  'src/i18n/start.test.ts',
  'src/lib/api-runtime.test.ts',
  'src/lib/clock.test.ts',
  'src/lib/live.test.ts',
  'src/lib/paths.test.ts',
  'src/lib/save-file.test.ts',
  'src/lib/token.test.ts',
  'src/lib/upload.test.ts',
]

/** Imported only for `--mode analyze`: production installs have no development packages. */
async function analysis() {
  const { visualizer } = await import('rollup-plugin-visualizer')
  return visualizer({ filename: 'stats.json', template: 'raw-data', gzipSize: true })
}

/** The address of the API that the development server forwards requests to. */
const API = process.env.API_URL ?? 'http://127.0.0.1:8000'

export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    mode === 'analyze' && analysis(),
    // compressed once at build time: the server sends these files as they are (api/web_app.py)
    compression({
      include: /\.(js|css|html|svg|txt)$/,
      threshold: 256, // bytes
      algorithms: [
        defineAlgorithm('brotliCompress', { params: { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY } }),
        defineAlgorithm('gzip', { level: constants.Z_BEST_COMPRESSION }),
      ],
      scheduler: { limit: availableParallelism() },
      logLevel: 'silent',
    }),
  ],
  resolve: { alias: { '@': `${import.meta.dirname}/src` } },
  server: { proxy: { '/api': API, '/feeds': API } },
  // no data: addresses, which the content security policy forbids
  build: {
    assetsInlineLimit: 0,
    manifest: true, // tells benchmarks/first_load.py which files each page loads
  },
  test: {
    css: false,
    maxWorkers: availableParallelism(), // one less by default: a single one on two cores
    testTimeout: 60_000, // ms; long, so that only a test that hangs fails on a busy machine
    projects: [
      // without jsdom, which takes a second per file
      { extends: true, test: { name: 'rules', environment: 'node', include: ['src/**/*.test.ts'], exclude: NEEDS_DOM } },
      {
        extends: true,
        test: {
          name: 'screens',
          environment: 'jsdom',
          // all files of a worker share one document: creating one per file takes longer than the tests
          isolate: false,
          setupFiles: './src/test/setup.ts',
          include: ['src/**/*.test.tsx', ...NEEDS_DOM],
        },
      },
    ],
  },
}))
