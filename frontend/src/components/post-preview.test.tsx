import { screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { show } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { PostPreview } from './post-preview'

beforeAll(startAllTexts)

const file = (changes: { media_id: string; width: number; height: number }) => ({ url: `/${changes.media_id}.jpg`, alt: `Picture ${changes.media_id}`, ...changes })

function open(channel: string, files: ReturnType<typeof file>[]) {
  const post = { content: 'Rain helps.', language: 'en', deliveries: [], files }
  const view = show(<PostPreview post={{ ...post, first_comment: 'More below #rain' }} channel={channel} author={{ name: 'lindhof.bikes', pictureUrl: null }} />)
  const order = [...view.container.querySelectorAll('.pv-images, .swipe, .pv-text, .pv-comment')].map(({ className }) => className)
  return { ...view, order }
}

const two = [file({ media_id: 'a', width: 1080, height: 1920 }), file({ media_id: 'b', width: 1080, height: 1080 })]

test('a network of pictures shows them one at a time above the text, cut to a shape that it takes', () => {
  const { order } = open('instagram', two)
  expect(order).toEqual(['swipe', 'pv-text', 'pv-comment'])
  expect(screen.getAllByRole('img', { name: /^Picture/ })).toHaveLength(2)
  expect(screen.getByRole('img', { name: 'Picture a' })).toHaveStyle({ aspectRatio: '0.8' })
  expect(screen.getByText('1/2')).toBeVisible()
  expect(screen.getByText((_, element) => element?.className === 'pv-text')).toHaveTextContent('lindhof.bikes Rain helps.')
})

test('another shows all of them below it, and the first comment last', () => {
  const { order } = open('linkedin', two)
  expect(order).toEqual(['pv-text', 'pv-images', 'pv-comment'])
  expect(screen.getAllByRole('img', { name: /^Picture/ })).toHaveLength(2)
  expect(screen.queryByText('1/2')).toBeNull()
})

test.each([
  ['linkedin', 'LikeCommentRepost'],
  ['facebook', 'LikeCommentShare'],
  ['bluesky', 'ReplyRepostLike'],
  // only icons
  ['instagram', ''],
  ['mastodon', 'ReplyBoostFavourite'],
])('of %s has its own words for what readers can do', (channel, words) => {
  expect(open(channel, []).container.querySelector('.pv-acts')).toHaveTextContent(words)
})

test('a network that shows fewer pages of a carousel says so', () => {
  const post = { content: 'Rain helps.', language: 'en', deliveries: [], files: two }
  show(<PostPreview post={post} channel="mastodon" author={{ name: 'lindhof.bikes', pictureUrl: null }} pages={8} />)
  expect(screen.getByText('Mastodon shows the first 2 of 8 pages.')).toBeVisible()
})
