import type { TFunction } from 'i18next'
import { expect, test } from 'vitest'
import { detailText, networkMessage } from './network-message'

test.each([
  ['422 {"status":422,"code":"X","message":"The request could not be processed"}', 'The request could not be processed (422)'],
  ['400 {"message":"A \\"quote\\" and \\u00e4","status":4', 'A "quote" and ä (400)'],
  ['422 {"error":"Validation failed"}', 'Validation failed (422)'],
  ['400 {"error":"InvalidRequest","message":"Text is too long"}', 'Text is too long (400)'],
  ['400 {"error":{"message":"Invalid parameter","code":100}}', 'Invalid parameter (400)'],
  ['429 {"status":429,"message":"cut in the midd', '429 {"status":429,"message":"cut in the midd'],
  ['502 <html>Bad gateway</html>', '502 <html>Bad gateway</html>'],
  ['ReadError', undefined],
  ['the container is still being processed', undefined],
])('%s', (detail, said) => {
  expect(networkMessage(detail)).toBe(said)
})

test.each([
  ['502 Bad gateway', 'said 502 Bad gateway'],
  ['ReadError', 'transport.brokenOff LinkedIn'],
  ['TimeoutError', 'transport.late LinkedIn'],
  ['ConnectTimeout', 'transport.unreachable LinkedIn'],
  ['the container is still being processed', ''],
])('nothing is put into the mouth of a network: %s', (detail, told) => {
  const t = ((key: string, { place }: { place: string }) => `${key} ${place}`) as unknown as TFunction
  expect(detailText(t, detail, 'LinkedIn', (words) => `said ${words}`)).toBe(told)
})
