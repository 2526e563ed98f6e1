/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os'
import { constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'

/** Tests of pure code that reads what only a page has. */
const WITH_A_PAGE = [
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

/** What only developers have is loaded when it is asked for: a first start installs no more than the build needs. */
async function analysis() {
  const { visualizer } = await import('rollup-plugin-visualizer')
  return visualizer({ filename: 'stats.json', template: 'raw-data', gzipSize: true })
}

/** Of the API that stands behind this server while the web app is developed. */
const API = process.env.API_URL ?? 'http://127.0.0.1:8000'

export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    mode === 'analyze' && analysis(),
    // once and at their best here, so that the server never does it (api/web_app.py); on all cores, since it is slow
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
  // every asset is a file of our own origin, so that the content security policy needs no data: addresses
  build: {
    assetsInlineLimit: 0,
    manifest: true, // benchmarks/first_load.py reads which files each page loads
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
