import { expect, test } from 'vitest'
import { firstSentence } from './first-sentence'

test.each([
  ['Oil your chain. It lasts longer.', 'Oil your chain.'],
  ['\n  Oil your   chain!\nIt lasts.', 'Oil your chain!'],
  ['Oil your chain', 'Oil your chain'],
  ['Is it „done?“ Not yet.', 'Is it „done?“'],
  ['Öle z. B. die Kette. Fertig.', 'Öle z. B. die Kette.'],
  ['Am 3. Mai ist Markt. Komm vorbei.', 'Am 3. Mai ist Markt.'],
  ['It takes e.g. 2.5 bar. Not more.', 'It takes e.g. 2.5 bar.'],
  ['Read it at example.com/a.b today. Now.', 'Read it at example.com/a.b today.'],
  ['チェーンに油を。長持ちします。', 'チェーンに油を。'],
  ['', ''],
])('the first sentence of %j', (text, sentence) => {
  expect(firstSentence(text, 60)).toBe(sentence)
})

test('one that does not fit is cut after a word', () => {
  expect(firstSentence('A chain that is oiled, cleaned and oiled again lasts for years. Yes.', 40)).toBe('A chain that is oiled, cleaned and…')
})
