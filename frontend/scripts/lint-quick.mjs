/**
 * All files by the quick rules; by all rules those that are not committed as they are. Whatever a change does to other
 * files, `npm run lint` finds. Where git cannot say what changed, all rules read all files.
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
