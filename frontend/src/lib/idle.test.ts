import { afterEach, expect, test, vi } from 'vitest'
import { idle } from './idle'

afterEach(() => vi.unstubAllGlobals())

/** A browser that says itself when it is idle. */
function browser(readyState: DocumentReadyState) {
  const waiting: (() => void)[] = []
  const page = new EventTarget()
  vi.stubGlobal('window', { requestIdleCallback: true })
  vi.stubGlobal('document', { readyState })
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => waiting.push(callback))
  return { waiting, load: () => page.dispatchEvent(new Event('load')) }
}

test('waits for the page, then for the browser', async () => {
  const { waiting, load } = browser('interactive')
  const done = vi.fn()
  const over = idle().then(done)
  await Promise.resolve()
  expect(waiting).toHaveLength(0)
  load()
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  expect(done).not.toHaveBeenCalled()
  waiting[0]?.()
  await over
  expect(done).toHaveBeenCalledOnce()
})

test('of a page that is there only the browser is waited for', async () => {
  const { waiting } = browser('complete')
  const over = idle()
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  waiting[0]?.()
  await over
})

test('a browser that does not say when it is idle is given a moment', async () => {
  vi.stubGlobal('window', {})
  vi.stubGlobal('document', { readyState: 'complete' })
  await idle()
})
