import { readdirSync } from 'node:fs'
import js from '@eslint/js'
import query from '@tanstack/eslint-plugin-query'
import { defineConfig, globalIgnores } from 'eslint/config'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

/** Imports run one way: app → routes → features → components → i18n → lib → api. `../` would be a way around. */
const layer = (folder, forbidden, message) => ({
  files: [`src/${folder}/**/*.{ts,tsx}`],
  rules: { 'no-restricted-imports': ['error', { patterns: [{ group: [...forbidden, '../*'], message }] }] },
})

export default defineConfig(
  globalIgnores(['dist', 'src/api', 'playwright-report', 'test-results']),
  js.configs.recommended,
  {
    files: ['public/before.js'],
    languageOptions: {
      globals: Object.fromEntries(['document', 'localStorage', 'matchMedia'].map((name) => [name, 'readonly'])),
    },
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [
      tseslint.configs.recommendedTypeChecked,
      query.configs['flat/recommended'],
    ],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      // react-router takes a redirect as a Response that is thrown
      '@typescript-eslint/only-throw-error': ['error', { allow: [{ from: 'lib', name: 'Response' }] }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportAllDeclaration', message: 'No barrel files: import from the file itself.' },
        { selector: 'ExportNamedDeclaration[source]', message: 'No barrel files: import from the file itself.' },
        { selector: 'ImportSpecifier[imported.name="PasswordInput"]', message: 'Use our own PasswordField.' },
        { selector: 'ImportSpecifier[imported.name="TagsInput"]', message: 'Use our own ListInput.' },
      ],
    },
  },
  {
    // not e2e/, where `use` is Playwright's, nor tests, which have next to no components and take as long to read
    files: ['src/**/*.{ts,tsx}'],
    ignores: ['src/**/*.test.{ts,tsx}'],
    extends: [reactHooks.configs.flat.recommended],
  },
  layer('routes', ['@/app/*'], 'A route composes features; the app shell composes routes.'),
  ...readdirSync('src/features').map((noun) =>
    layer(
      `features/${noun}`,
      ['@/app/*', '@/routes/*', '@/features/*', `!@/features/${noun}`],
      'A feature imports its own folder and components, i18n, lib, api. A route composes several features.',
    ),
  ),
  layer('components', ['@/app/*', '@/routes/*', '@/features/*'], 'Components have no product knowledge.'),
  layer('i18n', ['@/app/*', '@/routes/*', '@/features/*', '@/components/*'], 'Texts and formats know no screens.'),
  layer(
    'lib',
    ['@/app/*', '@/routes/*', '@/features/*', '@/components/*', '@/i18n/*'],
    'lib is the lowest layer.',
  ),
)
