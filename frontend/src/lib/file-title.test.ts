import { expect, test } from 'vitest'
import { fileTitle } from './file-title'

test.each([
  ['Eight_questions.pdf', 58, 'Eight questions'],
  ['Rain on wheels.MP4', 58, 'Rain on wheels'],
  ['Fenders, lights and other things that help in the rain.pdf', 30, 'Fenders, lights and other'],
  ['A'.repeat(40), 30, 'A'.repeat(30)],
])('the title of %s is cut to %s characters', (name, limit, title) => {
  expect(fileTitle(name, limit)).toBe(title)
})
