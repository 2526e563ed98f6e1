import { fireEvent, screen } from '@testing-library/react'
import { beforeAll, expect, test } from 'vitest'
import { show } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { PageSwipe } from './page-swipe'

beforeAll(startAllTexts)

const page = (media_id: string) => ({ media_id, url: `/${media_id}.jpg`, alt: `Page ${media_id}`, width: 1080, height: 1350 })

test('pages are gone through by buttons, each with its alt text', async () => {
  const { user } = show(<PageSwipe pages={['a', 'b', 'c'].map(page)} />)
  expect(screen.getAllByRole('img').map((image) => image.getAttribute('alt'))).toEqual(['Page a', 'Page b', 'Page c'])
  expect(screen.getByText('1/3')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Previous page' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  await user.click(screen.getByRole('button', { name: 'Next page' }))
  expect(screen.getByText('3/3')).toBeVisible()
  expect(screen.queryByRole('button', { name: 'Next page' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Previous page' }))
  expect(screen.getByText('2/3')).toBeVisible()
})

test('the pages take the focus, so that the arrow keys scroll them', async () => {
  const { user } = show(<PageSwipe pages={['a', 'b'].map(page)} />)
  await user.tab()
  expect(screen.getByRole('list', { name: '2 pages' })).toHaveFocus()
})

test('a page that could not be loaded says so, and is asked for again', async () => {
  const { user } = show(<PageSwipe pages={['a', 'b'].map(page)} />)
  fireEvent.error(screen.getByRole('img', { name: 'Page b' }))
  expect(screen.queryByRole('img', { name: 'Page b' })).toBeNull()
  expect(screen.getByText('Not available at the moment')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(screen.getByRole('img', { name: 'Page b' })).toHaveAttribute('src', '/b.jpg')
  expect(screen.getByRole('list', { name: '2 pages' })).toHaveFocus()
})
