import '@testing-library/jest-dom/vitest'
import { Blob, File } from 'node:buffer'
import { cleanup, configure } from '@testing-library/react'
import { afterAll, afterEach, vi } from 'vitest'

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
// what a growing field listens to; configurable, since files share the page
Object.defineProperty(document, 'fonts', { configurable: true, value: new EventTarget() })

// fetch is Node's, so what it sends must be Node's too: jsdom's FormData would go out as text
const form = await new Response(new URLSearchParams()).formData()
vi.stubGlobal('FormData', form.constructor)
vi.stubGlobal('File', File)
vi.stubGlobal('Blob', Blob)

// the first visit of a route loads its module, which takes longer than a second on a busy machine
configure({ asyncUtilTimeout: 5_000 })

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
