import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { saveToken } from '@/lib/token'
import { refuse } from '@/test/answers'
import { anImage } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { OwnImagesField } from './own-images-field'

const server = startServer()
const NAMES: Record<string, string> = { a: 'Shop', b: 'Bike', c: 'Team' }
const change = vi.fn<(ids: string[]) => void>()

beforeEach(() => {
  saveToken('mine')
  change.mockClear()
  const images = Object.entries(NAMES).map(([id, name]) => anImage({ id, name, alt: id === 'b' ? '' : name }))
  server.use(
    http.get('*/api/media/', () =>
      HttpResponse.json({
        items: images,
        next_cursor: null,
        total: 3,
        origins: { own: 3, upload: 3, ai: 0, card: 0, assistant: 0 }, kinds: { image: 3, document: 0, video: 0 },
      }),
    ),
    http.get('*/api/media/:id/', ({ params }) => {
      const image = images.find(({ id }) => id === params.id)
      return image ? HttpResponse.json({ ...image, uses: [] }) : refuse(404, 'not_found')
    }),
  )
})

function Field({ begin }: { begin: string[] }) {
  const [value, setValue] = useState(begin)
  const keep = (ids: string[]) => {
    change(ids)
    setValue(ids)
  }
  return <OwnImagesField label="Own images" value={value} most={3} onChange={keep} />
}

test('images are put in their order by keyboard, and it is said where they are', async () => {
  const { user } = show(<Field begin={['a', 'b', 'c']} />)
  expect(await screen.findByRole('button', { name: 'Move “Shop” one place forward' })).toBeDisabled()
  screen.getByRole('button', { name: 'Move “Shop” one place back' }).focus()
  await user.keyboard('{Enter}')
  expect(change).toHaveBeenLastCalledWith(['b', 'a', 'c'])
  expect(screen.getByText('Now at place 2 of 3.')).toBeInTheDocument()
  // the focus goes along
  expect(screen.getByRole('button', { name: 'Move “Shop” one place back' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(change).toHaveBeenLastCalledWith(['b', 'c', 'a'])
})

test('a post goes on showing what was removed from the gallery, and so does its field', async () => {
  const kept = [{ media_id: 'gone', thumbnail_url: '/kept.png' }]
  show(<OwnImagesField label="Images" value={['gone']} postImages={kept} most={3} onChange={change} />)
  expect(await screen.findByText('1 file is no longer in the gallery. This post keeps it until you remove it here.')).toBeVisible()
  expect(document.querySelector('img[src="/kept.png"]')).not.toBeNull()
})

test('one that was removed from the gallery says that it is left out, and can be taken out', async () => {
  const { user } = show(<Field begin={['a', 'gone']} />)
  expect(await screen.findByText('1 image was removed from the gallery and is skipped.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Remove “Removed from the gallery”' }))
  expect(change).toHaveBeenLastCalledWith(['a'])
  expect(screen.queryByText(/is skipped/)).toBeNull()
  await waitFor(() => expect(screen.getByRole('button', { name: 'Remove “Shop”' })).toHaveFocus())
})

test('those without an alternative text are counted', async () => {
  show(<Field begin={['a', 'b']} />)
  expect(await screen.findByText(/^1 image has no alt text/)).toBeVisible()
})

test('several are chosen at once, a second press takes one back', async () => {
  const { user } = show(<Field begin={['a']} />)
  await user.click(screen.getByRole('button', { name: 'Choose images' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Own images' }))
  expect(await dialog.findByRole('button', { name: 'Shop', pressed: true })).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Team', pressed: false }))
  await user.click(dialog.getByRole('button', { name: 'Bike' }))
  expect(change).toHaveBeenLastCalledWith(['a', 'c', 'b'])
  expect(dialog.getByText('3 images chosen')).toBeVisible()
  await user.click(dialog.getByRole('button', { name: 'Team' }))
  expect(change).toHaveBeenLastCalledWith(['a', 'b'])
  await user.click(dialog.getByRole('button', { name: 'Done' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
})
