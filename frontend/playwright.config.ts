import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// of a machine's browsers the one without windows first, as `make test` has it
const here = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
const chromium = process.env.CHROMIUM_PATH ?? here
const asRoot = process.getuid?.() === 0
const port = process.env.E2E_PORT ?? '28431'
const root = join(import.meta.dirname, '..')

// workers read this file too: only the first reading makes the folder
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'postloom-e2e-'))
process.env.E2E_PYTHON ??= join(root, '.venv', 'bin', 'python')

export default defineConfig({
  testDir: './e2e',
  reporter: [['list'], ['./e2e/last-words.ts']], // with the time of each test; what failed once more at the end
  // each file keeps its order; what stops a part of the installation comes when all else is over. A third one at
  // once saved no time on two cores
  workers: 2,
  projects: [
    { name: 'app', testIgnore: 'outage.spec.ts' },
    { name: 'outage', testMatch: 'outage.spec.ts', dependencies: ['app'] },
  ],
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
    // what fades in is there at once: half of it faded in has less contrast than it will have, and steps wait for it
    contextOptions: { reducedMotion: 'reduce' },
    // a trace of every test doubles their time: `npm run e2e -- --trace on` for the one that fails
    screenshot: 'only-on-failure',
    launchOptions: {
      executablePath: chromium,
      args: [
        '--disable-background-networking',
        '--disable-component-update',
        '--no-first-run',
        ...(asRoot ? ['--no-sandbox'] : []),
      ],
    },
  },
  webServer: {
    // the real stack: database, Temporal, worker, API with the built web app, sandbox networks
    command: `${process.env.E2E_PYTHON} -m cli run`,
    cwd: root,
    env: {
      DATA_DIR: process.env.E2E_DATA_DIR,
      PORT: port,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      ARM_SECONDS: '2',
      ARM_SPREAD_SECONDS: '1',
      // subscriptions are on, and nobody but their own story comes near a limit
      SANDBOX_STRIPE: 'true',
      FREE_ASSISTANTS: '1000',
      FREE_POSTS: '1000000',
      FREE_MODEL_COST: '1000000',
    },
    url: `http://127.0.0.1:${port}/readyz`,
    timeout: 120_000,
    gracefulShutdown: { signal: 'SIGINT', timeout: 8_000 },
    stdout: 'ignore',
    stderr: 'pipe',
  },
})
