import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { anImage } from '@/test/made'
import { itIs, show } from '@/test/screen'
import { startServer } from '@/test/server'
import { EVERY_KIND } from './file-kinds'
import { DropAnywhere } from '@/features/media/uploads/drop-anywhere'
import { Picture } from './picture'

startServer()

const picture = () => screen.getByRole<HTMLImageElement>('img', { name: 'A street in the rain' })

test('in a list the small one is shown, and only when it comes into view', () => {
  show(<Picture image={anImage()} />)
  expect(picture()).toHaveAttribute('src', '/api/media/image/file/?thumbnail=true')
  expect(picture()).toHaveAttribute('loading', 'lazy')
})

test('the large one has its shape and the small one behind it until it is there', () => {
  show(<Picture image={anImage()} full />)
  expect(picture()).toHaveAttribute('src', '/api/media/image/file/')
  expect(picture().style.background).toContain('thumbnail=true')
  fireEvent.load(picture())
  expect(picture().style.background).toBe('')
  expect(picture().style.maxWidth).toBe('1600px')
})

test('one that cannot be had says so, and another one in its place is tried', () => {
  const { rerender } = render(<Picture image={anImage()} />)
  fireEvent.error(picture())
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByText('Not available at the moment')).toBeVisible()
  rerender(<Picture image={anImage({ thumbnail_url: '/api/media/other/file/' })} />)
  expect(picture()).toHaveAttribute('src', '/api/media/other/file/')
})

test('beside its name it is not said twice', () => {
  show(<Picture image={anImage()} decorative />)
  expect(screen.queryByRole('img')).toBeNull()
})

function paste(files: File[], target: Element = document.body) {
  const event = Object.assign(new Event('paste', { bubbles: true, cancelable: true }), { clipboardData: { files } })
  target.dispatchEvent(event)
  return event.defaultPrevented
}
const aFile = (name: string) => new File(['x'], name, { type: 'image/png' })

test('a pasted screenshot gets a name, a pasted file keeps its own', () => {
  itIs('2026-11-21T12:00:00Z')
  const onFiles = vi.fn<(files: File[]) => void>()
  show(<DropAnywhere kinds={EVERY_KIND} onFiles={onFiles} />)
  expect(paste([aFile('image.png'), aFile('street.png')])).toBe(true)
  const names = onFiles.mock.calls[0]?.[0].map(({ name }) => name)
  expect(names).toEqual([expect.stringMatching(/^Pasted on Sat 21 Nov/), 'street.png'])
})

test('what is pasted into a field is not uploaded, nor a text', () => {
  const onFiles = vi.fn()
  show(
    <>
      <textarea aria-label="Notes" />
      <DropAnywhere kinds={EVERY_KIND} onFiles={onFiles} />
    </>,
  )
  expect(paste([aFile('image.png')], screen.getByLabelText('Notes'))).toBe(false)
  expect(paste([])).toBe(false)
  expect(onFiles).not.toHaveBeenCalled()
})
