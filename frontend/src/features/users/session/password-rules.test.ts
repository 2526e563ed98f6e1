import { expect, test } from 'vitest'
import { passwordRules } from './password-rules'

const broken = (password: string, email?: string) =>
  passwordRules(password, email)
    .filter((rule) => !rule.isMet)
    .map((rule) => rule.name)

test.each([
  ['warp over weft', 'mara@lindhof.example', []],
  ['short', 'mara@lindhof.example', ['length']],
  ['ab'.repeat(6), 'mara@lindhof.example', ['varied']],
  ['Mara rides a bike', 'mara@lindhof.example', ['email']],
  ['Annual report', 'ann@lindhof.example', []],
  ['a bc'.repeat(33), undefined, ['length']],
  ['😀😃😄😁😆', undefined, ['length']],
  ['', 'mara@lindhof.example', ['length', 'varied', 'email']],
])('%s', (password, email, expected) => {
  expect(broken(password, email)).toEqual(expected)
})
