import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { saveFile } from './save-file'

const revoked = vi.fn()
let saved: { name: string; address: string }[]

beforeEach(() => {
  saved = []
  revoked.mockClear()
  vi.useFakeTimers()
  URL.createObjectURL = vi.fn(() => 'blob:one')
  URL.revokeObjectURL = revoked
  // jsdom does not navigate on a click on a link
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push({ name: this.download, address: this.href })
  })
})
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

test.each([
  ['tips.json', 'tips.json'],
  ['Tips: winter/summer?.json', 'Tips- winter-summer-.json'],
  ['..\\..\\a<b>c|d*e".json', '..-..-a-b-c-d-e-.json'],
  ['Bücher 読者 🚲.json', 'Bücher 読者 🚲.json'],
])('%s is saved as %s', (name, as) => {
  saveFile(new Blob(['{}']), name)
  expect(saved).toEqual([{ name: as, address: 'blob:one' }])
})

test('the content stays until the browser has asked where to put it, and then goes', () => {
  saveFile(new Blob(['{}']), 'tips.json')
  vi.advanceTimersByTime(59_000)
  expect(revoked).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1_000)
  expect(revoked).toHaveBeenCalledWith('blob:one')
})
