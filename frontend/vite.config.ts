/// <reference types="vitest/config" />
import { availableParallelism } from 'node:os'
import { constants } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Rolldown } from 'vite'
import { compression, defineAlgorithm } from 'vite-plugin-compression2'
import { earlyFiles } from './early-files.config'

/** Tests of pure code that reads what only a page has. */
const WITH_A_PAGE = [
  'src/before.test.ts',
  'src/features/assistants/schedule-text.test.ts',
  'src/features/templates/import-file.test.ts',
  'src/features/templates/tryout-view.test.ts',
  'src/features/templates/settings.test.ts',
  'src/features/topics/import-lines.test.ts',
  'src/i18n/parts.test.ts',
  'src/lib/api-runtime.test.ts',
  'src/lib/clock.test.ts',
  'src/lib/early-requests.test.ts',
  'src/lib/live.test.ts',
  'src/lib/paths.test.ts',
  'src/lib/preloading.test.ts',
  'src/lib/save-file.test.ts',
  'src/lib/token.test.ts',
  'src/lib/upload.test.ts',
]

const VISITORS_PAGES = ['home', 'signin', 'signup', 'verify-email', 'privacy-policy']
/** What home uses of packages: few, and no forms. */
const HOME_PARTS =
  /node_modules[\\/].*[\\/](IconArrowRight|IconCheck|IconPlayerPlay|use-document-visibility|use-in-viewport)\.mjs$/
/** What these pages use of packages that others share, too: packages name all their parts in one file. */
const VISITORS_PARTS =
  /node_modules[\\/](@mantine[\\/]form|klona|fast-deep-equal|react-i18next|html-parse-stringify|void-elements)[\\/]|@mantine[\\/]core[\\/].*[\\/](Alert|Anchor|Checkbox|InlineInput|Paper|PasswordInput|PinInput|Skeleton|Stack|Text|TextInput)[\\/]/

/** Our own modules that these pages import. */
function forPages(context: Rolldown.ChunkingContext, pages: string[]): ReadonlySet<string> {
  const waiting = pages.map((page) => `${import.meta.dirname}/src/routes/${page}.tsx`)
  const found = new Set(waiting)
  for (const module of waiting) {
    for (const imported of context.getModuleInfo(module)?.importedIds ?? []) {
      if (found.has(imported) || imported.includes('node_modules')) continue
      found.add(imported)
      waiting.push(imported)
    }
  }
  return found
}

/** What only developers have is loaded when it is asked for: a first start installs no more than the build needs. */
async function analysis() {
  const { visualizer } = await import('rollup-plugin-visualizer')
  return visualizer({ filename: 'stats.json', template: 'raw-data', gzipSize: true })
}

export default defineConfig(({ mode }) => ({
  plugins: [
    react(),
    earlyFiles(),
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
            // and what most pages share is one more: apart from what visitors need, who have only these
            {
              name: (module, context) => (HOME_PARTS.test(module) || forPages(context, ['home']).has(module) ? 'home-parts' : null),
              minShareCount: 2,
              priority: 1,
            },
            { name: (module, context) => (VISITORS_PARTS.test(module) || forPages(context, VISITORS_PAGES).has(module) ? 'visitors' : null), minShareCount: 2 },
            // what only some of the visitors' pages need
            { name: 'segments', test: /[\\/](SegmentedControl|FloatingIndicator)[\\/]/, priority: 1 },
            { name: 'shared', minShareCount: 10 },
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
