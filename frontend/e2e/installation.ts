import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { useDataFolder } from './fixtures'

const STARTS_WITHIN = 150_000 // ms, on a busy machine
const STOPS_WITHIN = 20_000 // ms

interface Installation {
  /** Address of the web app. */
  url: string
  stop: () => Promise<void>
}

/**
 * Start a second installation with these settings, for a story that needs other settings than all stories share. Its own
 * data folder becomes that of this worker's helpers. Only for a worker fixture: no other file shares its process.
 */
export async function startInstallation(settings: Record<string, string>): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), 'postloom-e2e-own-'))
  useDataFolder(folder)
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const running = spawn(process.env.E2E_PYTHON ?? 'python3', ['-m', 'cli', 'run'], {
    cwd: join(import.meta.dirname, '..', '..'),
    env: { ...process.env, DATA_DIR: folder, PORT: String(port), PUBLIC_URL: url, ARM_SECONDS: '2', ARM_SPREAD_SECONDS: '1', ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [running.stdout, running.stderr]) stream.on('data', (part: Buffer) => (output += part.toString()))
  const ended = once(running, 'exit')
  const stop = async () => {
    running.kill('SIGINT')
    const late = setTimeout(() => running.kill('SIGKILL'), STOPS_WITHIN)
    await ended
    clearTimeout(late)
    rmSync(folder, { recursive: true })
  }
  const latest = Date.now() + STARTS_WITHIN
  while (!(await isReady(url))) {
    if (running.exitCode !== null || Date.now() > latest) {
      await stop()
      throw new Error(`the installation did not start:\n${output}`)
    }
    await wait(250)
  }
  return { url, stop }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  if (address === null || typeof address === 'string') throw new Error('the system gave no port')
  return address.port
}

async function isReady(url: string): Promise<boolean> {
  try {
    return (await fetch(`${url}/readyz`)).ok
  } catch {
    return false // nothing listens there yet
  }
}
