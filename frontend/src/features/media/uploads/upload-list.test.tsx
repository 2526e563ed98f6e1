import { render, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { beforeAll, expect, test, vi } from 'vitest'
import type { UploadOut } from '@/api/types.gen'
import { changeLanguage } from '@/i18n'
import { newQueryClient, Providers } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { UploadList } from './upload-list'
import type { Upload } from './upload-queue'

beforeAll(async () => {
  await startAllTexts()
  await changeLanguage('en')
})

const MEGABYTE = 1024 * 1024 // bytes

const upload = (name: string, more: Partial<Upload>): Upload => ({
  id: name.charCodeAt(0),
  name,
  bytes: 2.5 * MEGABYTE,
  state: 'waiting',
  sent: 0,
  ...more,
})

function show(...uploads: Upload[]) {
  const queue = { cancel: vi.fn(), cancelAll: vi.fn(), retry: vi.fn(), clear: vi.fn() }
  render(
    <Providers queryClient={newQueryClient()}>
      <MemoryRouter>
        <UploadList uploads={uploads} queue={queue} linkTo={(id) => ({ to: { search: `image=${id}` } })} />
      </MemoryRouter>
    </Providers>,
  )
  const row = (name: string) => within(screen.getByText(name).closest('li') ?? document.body)
  return { queue, row, user: userEvent.setup() }
}

test('nothing is shown while there is nothing', () => {
  show()
  expect(screen.queryByRole('region')).toBeNull()
})

test('every state says what it is, and what runs can be cancelled', async () => {
  const image = { id: '7' } as UploadOut
  const { queue, row, user } = show(
    upload('a.jpg', { state: 'sending', sent: 0.42 }),
    upload('b.jpg', { state: 'checking', sent: 1 }),
    upload('c.jpg', {}),
    upload('d.jpg', { state: 'done', image }),
    upload('e.jpg', { state: 'known', image }),
    upload('g.webp', { state: 'done', image: { ...image, first_frame_only: true } }),
    upload('f.jpg', { state: 'cancelled' }),
  )
  expect(row('a.jpg').getByText('42% of 2.5 MB')).toBeVisible()
  expect(row('a.jpg').getByRole('progressbar', { name: 'Progress of a.jpg' })).toHaveAttribute('aria-valuenow', '42')
  expect(row('b.jpg').getByText('Checking')).toBeVisible()
  expect(row('c.jpg').getByText('Waiting, 2.5 MB')).toBeVisible()
  expect(row('d.jpg').getByText('Uploaded, 2.5 MB')).toBeVisible()
  expect(row('g.webp').getByText('The file is animated. Only its first frame was kept.')).toBeVisible()
  expect(row('d.jpg').getByRole('link')).toHaveAttribute('href', '/?image=7')
  expect(row('e.jpg').getByText('Already in your gallery, not stored again')).toBeVisible()
  expect(row('f.jpg').getByText('Cancelled')).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('3 of 7 files uploaded')

  await user.click(row('a.jpg').getByRole('button', { name: 'Cancel a.jpg' }))
  expect(queue.cancel).toHaveBeenCalledWith('a'.charCodeAt(0))
  await user.click(row('f.jpg').getByRole('button', { name: 'Upload f.jpg again' }))
  expect(queue.retry).toHaveBeenCalledWith('f'.charCodeAt(0))
  expect(row('d.jpg').queryByRole('button')).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Cancel all' }))
  expect(queue.cancelAll).toHaveBeenCalledOnce()
})

test('a failed file says the server’s reason, and the list stays until it is closed', async () => {
  const { queue, row, user } = show(
    upload('a.svg', {
      state: 'failed',
      problem: { code: 'image_type_refused', status: 422, detail: '', params: {}, errors: [] },
    }),
    upload('b.jpg', {
      state: 'failed',
      problem: { code: 'too_large', status: 413, detail: '', params: { limit: 20 }, errors: [] },
    }),
  )
  expect(row('a.svg').getByText(/^This is not a JPEG, PNG, WebP, GIF, HEIC, AVIF, PDF or MP4/)).toBeVisible()
  expect(row('b.jpg').getByText(/At most 20 MB/)).toBeVisible()
  expect(screen.getByRole('status')).toHaveTextContent('2 failed')
  expect(screen.queryByRole('button', { name: 'Cancel all' })).toBeNull()
  await user.click(screen.getByRole('button', { name: 'Close the list of uploads' }))
  expect(queue.clear).toHaveBeenCalledOnce()
})
