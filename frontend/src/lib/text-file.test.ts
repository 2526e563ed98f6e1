import { expect, test } from 'vitest'
import { decodeAs, decodeTextFile } from './text-file'

const bytes = (...values: number[]) => Uint8Array.from(values)
const ascii = (text: string) => [...text].map((sign) => sign.codePointAt(0) ?? 0)

test('a mark or valid UTF-8 leaves no doubt', () => {
  expect(decodeTextFile(new TextEncoder().encode('\uFEFFGrüße, мир'))).toEqual({ text: 'Grüße, мир' })
  const wide = [...'Grüße'].flatMap((sign) => [(sign.codePointAt(0) ?? 0) & 0xff, (sign.codePointAt(0) ?? 0) >> 8])
  expect(decodeTextFile(bytes(0xff, 0xfe, ...wide))).toEqual({ text: 'Grüße' })
  const turned = [...'Grüße'].flatMap((sign) => [(sign.codePointAt(0) ?? 0) >> 8, (sign.codePointAt(0) ?? 0) & 0xff])
  expect(decodeTextFile(bytes(0xfe, 0xff, ...turned))).toEqual({ text: 'Grüße' })
})

test('what is neither is guessed, and can be read as something else', () => {
  const ofWindows = bytes(...ascii('Gr'), 0xfc, 0xdf, ...ascii('e aus K'), 0xf6, ...ascii('ln '), 0x96, ...ascii(' f'), 0xfc, ...ascii('r dich'))
  expect(decodeTextFile(ofWindows)).toEqual({ text: 'Grüße aus Köln – für dich', guessed: 'windows-1252' })
  const ofAMac = bytes(...ascii('Gr'), 0x9f, 0xa7, ...ascii('e aus K'), 0x9a, ...ascii('ln'))
  expect(decodeTextFile(ofAMac)).toEqual({ text: 'Grüße aus Köln', guessed: 'macintosh' })
  expect(decodeAs(ofAMac, 'windows-1252')).toBe('GrŸ§e aus Kšln')
})
