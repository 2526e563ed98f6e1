import '@testing-library/jest-dom/vitest'
import { Blob, File } from 'node:buffer'
import { cleanup, configure, getConfig, prettyDOM } from '@testing-library/react'
import * as React from 'react'
import { afterAll, afterEach, vi } from 'vitest'

// for its warnings React keeps where each element was made, of the first 10,000 in a second: a quarter of the time of
// all tests. Told that there were so many already, it keeps none
const internals = Reflect.get(React, '__CLIENT_INTERNALS_DO_NOT_USE_OR_WARN_USERS_THEY_CANNOT_UPGRADE') as object
Object.defineProperty(internals, 'recentlyCreatedOwnerStacks', { get: () => 10_000, set: () => undefined })

// jsdom lacks these
window.matchMedia = vi.fn((media: string) =>
  Object.assign(new EventTarget(), {
    matches: false,
    media,
    onchange: null,
    addListener: vi.fn(),
    removeListener: vi.fn(),
  }),
)
window.ResizeObserver = class {
  observe() {}
  unobserve() {}
  disconnect() {}
}
window.IntersectionObserver = class {
  root = null
  rootMargin = ''
  scrollMargin = ''
  thresholds = []
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return []
  }
}
Element.prototype.scrollIntoView = () => {}
Element.prototype.scrollTo = () => {}
document.elementFromPoint = () => null
// of an editor's text, which it measures
Range.prototype.getClientRects = () => [] as unknown as DOMRectList
Range.prototype.getBoundingClientRect = () => new DOMRect()
// what a growing field listens to; configurable, since files share the page
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })

// fetch is Node's, so what it sends must be Node's too: jsdom's FormData would go out as text
const form = await new Response(new URLSearchParams()).formData()
vi.stubGlobal('FormData', form.constructor)
vi.stubGlobal('File', File)
vi.stubGlobal(
  'XMLHttpRequest',
  class extends XMLHttpRequest {
    override send(body?: Parameters<XMLHttpRequest['send']>[0]) {
      if (!(body instanceof FormData || body instanceof Blob)) return super.send(body)
      const sent = new Response(body as FormData)
      // a file's type is set already
      if (body instanceof FormData) this.setRequestHeader('Content-Type', sent.headers.get('Content-Type') ?? '')
      void sent.arrayBuffer().then((bytes) => super.send(bytes))
    }
  },
)
vi.stubGlobal('Blob', Blob)

// the first visit of a route loads its module, which takes longer than a second on a busy machine
configure({ asyncUtilTimeout: 15_000 })

// what a test waited for is drawn, but React runs its effects (listeners, blockers of a router) in tasks of their own
const { setImmediate } = globalThis // fake timers replace the global one
const usual = getConfig()
configure({
  asyncWrapper: (wait) =>
    usual.asyncWrapper(async () => {
      const found: unknown = await wait()
      for (let task = 0; task < 5; task++) await new Promise((resolve) => setImmediate(resolve))
      return found
    }),
})

// what is waited for is looked for every few milliseconds: the page is written down for the last look alone
configure({
  getElementError: (message, container) => {
    const goesOn = Reflect.get(getConfig(), '_disableExpensiveErrorDiagnostics') as boolean
    const told = [message, goesOn ? '' : prettyDOM(container)].filter(Boolean).join('\n\n')
    return Object.assign(new Error(told), { name: 'TestingLibraryElementError' })
  },
})

afterEach(() => {
  cleanup()
  localStorage.clear()
})

// the next file gets the page as this one found it
afterAll(() => {
  vi.restoreAllMocks()
  document.head.replaceChildren()
  // what tests put in the place of the browser's, some of them so that it can't be set again
  Reflect.deleteProperty(document, 'execCommand')
  Reflect.deleteProperty(navigator, 'clipboard')
})
