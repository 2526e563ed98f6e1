import { existsSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { defineConfig } from '@playwright/test'

// the headless shell first, as in `make test`
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((path) => existsSync(path))
const chromium = process.env.CHROMIUM_PATH ?? installed
const asRoot = process.getuid?.() === 0
const port = process.env.E2E_PORT ?? '28431'
const root = join(import.meta.dirname, '..')

// each worker reads this file, too: only the first process creates the folder
process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), 'postloom-e2e-'))
process.env.E2E_PYTHON ??= join(root, '.venv', 'bin', 'python')

export default defineConfig({
  testDir: './e2e',
  reporter: [['list'], ['./e2e/failure-reporter.ts']], // the list shows each test's time; failures are repeated at the end
  // a third worker saves no time on two cores
  workers: 2,
  projects: [
    { name: 'app', testIgnore: 'outage.spec.ts' },
    // stops services that the other stories need, so it runs after them
    { name: 'outage', testMatch: 'outage.spec.ts', dependencies: ['app'] },
  ],
  timeout: 90_000,
  expect: { timeout: 15_000 },
  use: {
    baseURL: `http://127.0.0.1:${port}`,
    locale: 'en-US',
    timezoneId: 'Europe/Berlin',
    viewport: { width: 1280, height: 800 },
    // without animations: a half transparent element fails the contrast checks, and steps wait for its end
    contextOptions: { reducedMotion: 'reduce' },
    // traces double the time of the tests: for one that fails use `npm run e2e -- --trace on`
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
      // subscriptions are on; the limits are so high that only the subscription story reaches them
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
