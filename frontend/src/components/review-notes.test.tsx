import { screen, within } from '@testing-library/react'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Finding, ReviewNoteOut } from '@/api/types.gen'
import { show, speak } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { ReviewNotes, ReviewPanel, ReviewSection } from './review-notes'

beforeAll(startAllTexts)

const note = (finding: Finding, params: ReviewNoteOut['params'] = {}, network: ReviewNoteOut['network'] = null): ReviewNoteOut => ({
  finding,
  network,
  params,
})
const sentences = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

describe('the notes', () => {
  test.each<[string, ReviewNoteOut]>([
    ['Found neither in the brief nor in the brand’s facts: “40 %”', note('unproven', { what: '40 %' })],
    ['Worn phrase: “game changer”', note('cliche', { what: 'game changer' })],
    ['A word that the brand avoids: “cheap”', note('avoided_word', { what: 'cheap' })],
    ['Begins like an earlier post: “Oil first.”', note('repeated_opening', { what: 'Oil first.' })],
    ['Ends like an earlier post: “And yours?”', note('repeated_closing', { what: 'And yours?' })],
    ['Addresses readers differently than the brand does: “du”', note('wrong_address', { what: 'du' })],
    ['The text is not in the post’s language.', note('wrong_language')],
    ['The pages of the carousel show the text as it was before it was changed.', note('earlier_pages')],
    ['4 hashtags, at most 3 are wanted', note('too_many_hashtags', { count: 4, most: 3 })],
    ['1 hashtag, at most 0 are wanted', note('too_many_hashtags', { count: 1, most: 0 })],
    ['3 emoji, at most 2 are wanted', note('too_many_emoji', { count: 3, most: 2 })],
    ['Emoji in the first line, where the brand wants none', note('too_many_emoji', { count: 1, most: 0, where: 'first_line' })],
    ['The first sentence is longer than the 140 characters that readers see before they tap “more”.', note('late_message', { fold: 140 })],
  ])('say: %s', async (sentence, found) => {
    show(<ReviewNotes notes={[found]} />)
    expect(await screen.findByText(sentence)).toBeVisible()
  })

  test('of one finding are one sentence, and those of a network stand below its name', async () => {
    show(
      <ReviewNotes
        notes={[
          note('unproven', { what: '40 %' }),
          note('cliche', { what: 'deep dive into' }, 'linkedin'),
          note('unproven', { what: 'Anna Weber' }),
        ]}
      />,
    )
    await screen.findByText('LinkedIn')
    expect(sentences()).toEqual([
      'Found neither in the brief nor in the brand’s facts: “40 %” and “Anna Weber”',
      'Worn phrase: “deep dive into”',
    ])
  })

  test('are in German as well', async () => {
    await speak('de')
    show(<ReviewPanel notes={[note('cliche', { what: 'Gamechanger' })]} />)
    expect(await screen.findByRole('heading', { name: 'Beim zweiten Blick gefunden' })).toBeVisible()
    expect(sentences()).toEqual(['Abgenutzte Formulierung: „Gamechanger“'])
  })

  test('are a named part of what is to be approved', async () => {
    show(<ReviewSection notes={[note('wrong_language')]} />)
    const section = within(await screen.findByRole('region', { name: 'What a second look found' }))
    expect(section.getByText('These are hints. The post can be published as it is.')).toBeVisible()
  })
})
