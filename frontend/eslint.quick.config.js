import { defineConfig } from 'eslint/config'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'
import config from './eslint.config.js'

const OF_HOOKS = ['react-hooks/rules-of-hooks', 'react-hooks/exhaustive-deps']
/** Each file is compiled by the React Compiler for these. */
const COMPILED = Object.keys(reactHooks.configs.flat.recommended.rules).filter((rule) => !OF_HOOKS.includes(rule))

/** What needs neither the types of the whole project nor the React Compiler: a fifth of the time (decision 30). */
export default defineConfig(
  config,
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.disableTypeChecked],
    linterOptions: { reportUnusedDisableDirectives: 'off' },
  },
  { files: ['src/**/*.{ts,tsx}'], rules: Object.fromEntries(COMPILED.map((rule) => [rule, 'off'])) },
)
