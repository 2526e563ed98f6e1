/**
 * Check all files by the quick rules, and changed files (compared with the last commit) by all rules. Faults that a
 * change causes in other files are found by `npm run lint`. Without git all rules check all files.
 */
import { spawnSync } from 'node:child_process'
import process from 'node:process'

const CACHE = 'node_modules/.cache/eslint/'

function lint(name, ...rest) {
  const cache = ['--cache', '--cache-strategy', 'content', '--cache-location', `${CACHE}${name}`]
  const args = ['node_modules/eslint/bin/eslint.js', '--max-warnings', '0', '--no-warn-ignored', ...cache, ...rest]
  return spawnSync(process.execPath, args, { stdio: 'inherit' }).status ?? 1
}

function git(...args) {
  const { status, stdout } = spawnSync('git', args, { encoding: 'utf8' })
  return status === 0 ? stdout.split('\0').filter((path) => /\.(js|mjs|ts|tsx)$/.test(path)) : null
}

const tracked = git('diff', '--name-only', '-z', '--relative', '--diff-filter=d', 'HEAD')
const added = git('ls-files', '-z', '--others', '--exclude-standard')
const changed = tracked && added ? [...tracked, ...added] : ['.']
const quick = lint('quick', '--config', 'eslint.quick.config.js', '.')
const thorough = changed.length > 0 ? lint('changed', ...changed) : 0
process.exitCode = quick || thorough
