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

const core = (...components: string[]) => new RegExp(`@mantine[\\\\/]core[\\\\/]esm[\\\\/]components[\\\\/](${components.join('|')})[\\\\/]`)

/** Name of a file → what is in it of packages, which have a module for each of their parts. */
const TOGETHER: [string, RegExp][] = [
  ['floating', /@floating-ui[\\/]|esm[\\/]utils[\\/]Floating|@mantine[\\/]core[\\/]esm[\\/]components[\\/](Popover|Tooltip|FocusTrap|Portal)[\\/]/],
  ['menu', core('Menu')],
  ['dialog', /node_modules[\\/](react-remove-scroll|react-remove-scroll-bar|react-style-singleton|use-sidecar|use-callback-ref|get-nonce|tslib)[\\/]|esm[\\/]components[\\/](Modal|ModalBase|Drawer)[\\/]/],
  ['choice', core('Combobox', 'Select', 'InputsGroup')],
  ['fields', core('Input', 'InputBase', 'TextInput')],
  ['form', /[\\/](@mantine[\\/]form|klona|fast-deep-equal)[\\/]/],
  ['basics', core('Text', 'Stack', 'Group', 'Paper', 'Skeleton', 'CloseButton', 'VisuallyHidden', 'Alert')],
]

/** Our own modules that these begin with. */
function ownOf(context: Rolldown.ChunkingContext, ...modules: string[]): ReadonlySet<string> {
  const found = new Set(modules.map((module) => `${import.meta.dirname}/src/${module}.tsx`))
  for (const module of found)
    for (const imported of context.getModuleInfo(module)?.importedIds ?? [])
      if (!imported.includes('node_modules')) found.add(imported)
  return found
}
const VISITORS_PAGES = ['home', 'signin', 'signup', 'verify-email', 'privacy-policy'].map((page) => `routes/${page}`)

/** Whether it is ours and visitors load it for none of their pages. */
const isForUsers = (module: string, context: Rolldown.ChunkingContext) =>
  !module.includes('node_modules') && !ownOf(context, ...VISITORS_PAGES).has(module)

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
    modulePreload: { polyfill: false, resolveDependencies: (_, files) => files.filter((file) => file.endsWith('.css')) },
    rolldownOptions: {
      output: {
        codeSplitting: {
            includeDependenciesRecursively: false,
          groups: [
            // what every page begins with is three files, not the fifty that pages happen to share
            { name: 'react', tags: ['$initial'], test: /node_modules[\\/](react|react-dom|react-router|scheduler)[\\/]/, priority: 3 },
            { name: 'interface', tags: ['$initial'], test: /node_modules/, priority: 2 },
            { name: 'start', tags: ['$initial'], priority: 1 },
            // what is always used together is one file, too: pages would share it in dozens
            ...TOGETHER.map(([name, test]) => ({ name, test })),
            // of the many small modules that pages have in common, those that nearly all have
            { name: 'common', test: /@mantine[\\/](hooks|core[\\/]esm[\\/](core|utils))[\\/]|@tabler[\\/]/, minShareCount: 15 },
            { name: (module, context) => (isForUsers(module, context) && ownOf(context, 'app/user-frame').has(module) ? 'frame' : null) },
            { name: (module, context) => (isForUsers(module, context) ? 'users' : null), minShareCount: 10 },
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
