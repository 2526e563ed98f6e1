import { expect, test } from 'vitest'
import { withHyphens } from './indented-list'

test.each([
  ['spaces', 'Cycling\n  Rain\n    Clothes\n  Light', '- Cycling\n-- Rain\n--- Clothes\n-- Light'],
  ['tabs', 'Cycling\n\tRain\n\t\tClothes\nRunning', '- Cycling\n-- Rain\n--- Clothes\n- Running'],
  ['Markdown', '- Cycling\n  - Rain\n  - Light', '- Cycling\n-- Rain\n-- Light'],
  ['bullets of Word', '•\tCycling\no\tRain\n▪\tClothes\no\tLight\n•\tRunning', '- Cycling\n-- Rain\n--- Clothes\n-- Light\n- Running'],
  ['numbers', '1. Cycling\n1.1 Rain\n1.1.1 Clothes\n2. Running', '- Cycling\n-- Rain\n--- Clothes\n- Running'],
  ['numbers and letters', '1. Cycling\n   a) Rain\n   b) Light\n2. Running', '- Cycling\n-- Rain\n-- Light\n- Running'],
  ['a heading above a list', 'Cycling\n• Rain\n• Light', '- Cycling\n-- Rain\n-- Light'],
  ['lines alone', 'Cycling\n\nRunning\n', '- Cycling\n- Running'],
  ['a step back between two levels', 'Cycling\n    Rain\n  Light', '- Cycling\n-- Rain\n-- Light'],
  ['titles with signs inside', '* 24-hour ride - why\n* 3 things', '- 24-hour ride - why\n- 3 things'],
])('an indented list gets its hyphens: %s', (_, text, converted) => {
  expect(withHyphens(text)).toBe(converted)
})

test.each(['', ' \n', '- Cycling\n-- Rain', '- Cycling\n- Running', '-- Rain\nLight'])('what has its hyphens, or is empty, is left alone: %j', (text) => {
  expect(withHyphens(text)).toBeUndefined()
})
