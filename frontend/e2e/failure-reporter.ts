import { rmSync } from 'node:fs'
import type { FullResult, Reporter, TestCase, TestResult } from '@playwright/test/reporter'

const COLOURS = new RegExp(String.raw`\u001b\[[\d;]*m`, 'g')
const LINES = 12

/**
 * Print the failed tests and their errors at the very end, because only the end of a long log is kept. Keep the
 * installation's data and logs after failures, and delete them if all tests passed.
 */
export default class FailureReporter implements Reporter {
  private readonly failed: string[] = []
  private passed = false

  onEnd({ status }: FullResult): void {
    this.passed = status === 'passed'
  }

  onTestEnd(test: TestCase, { status, errors, duration }: TestResult): void {
    if (status === 'passed' || status === 'skipped') return
    const why = errors.map(({ message = '', location }) => {
      const lines = message.replaceAll(COLOURS, '').split('\n').filter((line) => line.trim())
      const at = location ? `at ${location.file.replace(/.*\//, '')}:${location.line}` : ''
      return [...lines.slice(0, LINES), at].filter(Boolean).map((line) => `    ${line}`)
    })
    this.failed.push([`${status} after ${Math.round(duration / 1000)} s: ${test.title}`, ...why.flat()].join('\n'))
  }

  onExit(): Promise<void> {
    if (this.passed && process.env.E2E_DATA_DIR) rmSync(process.env.E2E_DATA_DIR, { recursive: true, force: true })
    if (this.failed.length) process.stdout.write(`\n${this.failed.join('\n')}\n`)
    return Promise.resolve()
  }
}
