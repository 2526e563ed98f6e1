import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { refuseWhileUploading } from '@/lib/running-uploads'
import { saveToken } from '@/lib/token'
import { held } from '@/test/answers'
import { anImage } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { CoverField } from './cover-field'

const server = startServer(
  http.get('*/api/media/', () =>
    HttpResponse.json({
      items: [anImage({ id: 'wheel', name: 'Wheel' })],
      next_cursor: null,
      total: 1,
      origins: { own: 1, upload: 1, ai: 0, card: 0, assistant: 0 },
      kinds: { image: 1, document: 0, video: 0 },
    }),
  ),
)

const video = { name: 'clip.mp4', url: '/clip.mp4', thumbnail_url: '/clip.webp', cover_id: null, cover_url: null, seconds: 12 }

function open(changes: Partial<Parameters<typeof CoverField>[0]['video']> = {}, error?: string) {
  saveToken('mine')
  const onChange = vi.fn()
  return { ...show(<CoverField video={{ ...video, ...changes }} error={error} onChange={onChange} />), onChange }
}

test('an image of the gallery becomes the cover', async () => {
  const { user, onChange } = open()
  expect(screen.getByText('The network chooses a frame of the video.')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Image from the gallery' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Cover' }))
  await user.click(await dialog.findByRole('button', { name: 'Wheel' }))
  expect(onChange).toHaveBeenCalledWith('wheel')
})

test('a cover is shown and can be removed', async () => {
  const { user, onChange, container } = open({ cover_id: 'wheel', cover_url: '/wheel.jpg' }, 'This image is gone.')
  expect(container.querySelector('.cover-well img')).toHaveAttribute('src', '/wheel.jpg')
  expect(screen.getByRole('alert')).toHaveTextContent('This image is gone.')
  await user.click(screen.getByRole('button', { name: 'Remove the cover' }))
  expect(onChange).toHaveBeenCalledWith(null)
})

test('a slider moves to a moment of the video, and a browser that cannot play it says so', async () => {
  const { user, container } = open()
  await user.click(screen.getByRole('button', { name: 'Choose from the video' }))
  const player = container.querySelector('video') as HTMLVideoElement
  const slider = screen.getByRole('slider', { name: 'Moment in the video' })
  expect(screen.getByRole('button', { name: 'Use as cover' })).toBeDisabled()
  fireEvent.loadedData(player)
  slider.focus()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(player.currentTime).toBeCloseTo(0.2)
  expect(screen.getByRole('button', { name: 'Use as cover' })).toBeEnabled()
  fireEvent.error(player)
  expect(screen.getByText(/cannot play the video/)).toBeVisible()
})

test('a video that breaks off before its frame is there holds nothing up', async () => {
  const { user, container } = open()
  await user.click(screen.getByRole('button', { name: 'Choose from the video' }))
  const player = container.querySelector('video') as HTMLVideoElement
  fireEvent.loadedData(player)
  Object.defineProperty(player, 'seeking', { value: true })
  await user.click(screen.getByRole('button', { name: 'Use as cover' }))
  expect(refuseWhileUploading()).toBe(true)
  fireEvent.error(player)
  expect(await screen.findByText(/cannot play the video/)).toBeVisible()
  await waitFor(() => expect(refuseWhileUploading()).toBe(false))
})

test('a frame whose choice was cancelled does not become the cover', async () => {
  const upload = held()
  server.use(
    http.post('*/api/media/', async () => {
      await upload.until
      return HttpResponse.json({ ...anImage({ id: 'frame' }), duplicate: false }, { status: 201 })
    }),
  )
  const draw = vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(null)
  const toBlob = vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((take) => take(new Blob(['x'], { type: 'image/jpeg' })))
  onTestFinished(() => [draw, toBlob].forEach((spy) => spy.mockRestore()))
  const { user, container, onChange } = open()
  await user.click(screen.getByRole('button', { name: 'Choose from the video' }))
  fireEvent.loadedData(container.querySelector('video') as HTMLVideoElement)
  await user.click(screen.getByRole('button', { name: 'Use as cover' }))
  await waitFor(() => expect(refuseWhileUploading()).toBe(true))
  await user.click(screen.getByRole('button', { name: 'Cancel' }))
  expect(refuseWhileUploading()).toBe(false)
  upload.letGo()
  await new Promise((resolve) => setTimeout(resolve, 100))
  expect(onChange).not.toHaveBeenCalled()
})
