import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useState } from 'react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { MediaOut } from '@/api/types.gen'
import { saveToken } from '@/lib/token'
import { held, refuse } from '@/test/answers'
import { anImage } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { ImagePicker } from './image-picker'

const server = startServer()

let stored: MediaOut[]
let asked: URLSearchParams[]

beforeEach(() => {
  saveToken('mine')
  stored = [anImage()]
  asked = []
  server.use(
    http.get('*/api/media/', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query)
      const own = stored.filter(({ by_assistant }) => !by_assistant)
      const kept = query.get('origin') === 'own' ? own : stored
      const found = kept.filter(({ name }) => name.includes(query.get('search') ?? ''))
      const start = Number(query.get('cursor') ?? 0)
      return HttpResponse.json({
        items: found.slice(start, start + 2),
        next_cursor: found.length > start + 2 ? String(start + 2) : null,
        total: found.length,
        origins: { own: own.length, upload: own.length, ai: 0, card: 0, assistant: stored.length - own.length }, kinds: { image: own.length, document: 0, video: 0 },
      })
    }),
  )
})

async function open(chosen?: string[]) {
  const onPick = vi.fn<(image: MediaOut) => void>()
  const shown = show(<ImagePicker opened title="Choose an image" chosen={chosen} onClose={() => {}} onPick={onPick} />)
  const dialog = within(await screen.findByRole('dialog', { name: 'Choose an image' }))
  const upload = (file: File) => shown.user.upload(document.querySelector('input[type=file]') as HTMLInputElement, file)
  return { ...shown, dialog, picked: () => onPick.mock.calls.map(([{ id }]) => id), upload }
}

/** As a page that can open the drawer again. */
function openPage(chosen?: string[]) {
  const onPick = vi.fn<(image: MediaOut) => void>()
  function Page() {
    const [opened, setOpened] = useState(true)
    return (
      <>
        <button onClick={() => setOpened(true)}>Choose</button>
        <ImagePicker opened={opened} title="Choose an image" chosen={chosen} onClose={() => setOpened(false)} onPick={onPick} />
      </>
    )
  }
  const shown = show(<Page />)
  const upload = async (file: File) => {
    await waitFor(() => expect(document.querySelector('input[type=file]')).not.toBeNull())
    await shown.user.upload(document.querySelector('input[type=file]') as HTMLInputElement, file)
  }
  return { ...shown, upload, picked: () => onPick.mock.calls.map(([{ id }]) => id) }
}

const aFile = () => new File(['x'], 'street.jpg', { type: 'image/jpeg' })

test('where an image is chosen, documents are neither asked for nor sent', async () => {
  const { dialog } = await open()
  await dialog.findByRole('button', { name: 'A wet street' })
  expect(asked.every((query) => query.get('kind') === 'image')).toBe(true)
  // a file dialog lets people choose any file
  fireEvent.change(document.querySelector('input[type=file]') as HTMLInputElement, { target: { files: [new File(['x'], 'talk.pdf')] } })
  expect(await dialog.findByText(/Only images fit here/)).toBeVisible()
})

describe('an image of the library', () => {
  test('is picked, also one of the next pages', async () => {
    stored = ['a', 'b', 'c'].map((id) => anImage({ id, name: `Picture ${id}` }))
    const { user, dialog, picked } = await open()
    await user.click(await dialog.findByRole('button', { name: 'Load more' }))
    await user.click(await dialog.findByRole('button', { name: 'Picture c' }))
    expect(picked()).toEqual(['c'])
    expect(dialog.getByText('3 images')).toBeVisible()
  })

  test('that an assistant made is shown on demand', async () => {
    stored = [anImage(), anImage({ id: 'run', name: 'Of a run', by_assistant: true })]
    const { user, dialog, picked } = await open()
    await dialog.findByRole('button', { name: 'A wet street' })
    expect(dialog.queryByRole('button', { name: 'Of a run' })).toBeNull()
    await user.click(dialog.getByRole('button', { name: 'Show' }))
    await user.click(await dialog.findByRole('button', { name: 'Of a run' }))
    expect(picked()).toEqual(['run'])
    expect(dialog.queryByText(/made by assistants is hidden/)).toBeNull()
  })

  test('that is chosen is shown, whoever made it, and no other twice', async () => {
    const [own, made] = [anImage(), anImage({ id: 'run', name: 'Of a run', by_assistant: true })]
    stored = [own, made]
    server.use(http.get('*/api/media/:id/', ({ params }) => HttpResponse.json(stored.find(({ id }) => id === params.id))))
    const { user, dialog, picked } = await open(['run'])
    const shown = await dialog.findByRole('button', { name: 'Of a run' })
    expect(shown).toHaveAttribute('aria-pressed', 'true')
    await user.click(shown)
    expect(picked()).toEqual(['run'])
    await user.click(await dialog.findByRole('button', { name: 'Show' }))
    expect(await dialog.findByText('2 images')).toBeVisible()
    expect(dialog.getAllByRole('button', { name: 'Of a run' })).toHaveLength(1)
  })

  test('is looked for', async () => {
    const { user, dialog } = await open()
    await dialog.findByRole('button', { name: 'A wet street' })
    await user.type(dialog.getByRole('searchbox'), 'zebra')
    expect(await dialog.findByText('No file has “zebra” in its name, alt text or tags.')).toBeVisible()
  })
})

test('without any it says what to do', async () => {
  stored = []
  const { dialog } = await open()
  expect(await dialog.findByText('There are no images yet. Upload one.')).toBeVisible()
})

test('what could not be loaded is asked for again', async () => {
  server.use(http.get('*/api/media/', () => refuse(500, 'internal'), { once: true }))
  const { user, dialog } = await open()
  await dialog.findByText('The gallery could not be loaded')
  await user.click(dialog.getByRole('button', { name: 'Try again' }))
  expect(await dialog.findByRole('button', { name: 'A wet street' })).toBeVisible()
})

describe('an upload', () => {
  test('is what the person came for: it is picked, once', async () => {
    server.use(
      http.post('*/api/media/', () =>
        HttpResponse.json({ ...anImage({ id: 'new' }), duplicate: false }, { status: 201 }),
      ),
    )
    const { dialog, upload, picked } = await open()
    await dialog.findByRole('button', { name: 'A wet street' })
    await upload(aFile())
    await waitFor(() => expect(picked()).toEqual(['new']))
  })

  test('of an animation is told to be its first frame, and waits to be picked', async () => {
    server.use(
      http.post('*/api/media/', () =>
        HttpResponse.json({ ...anImage({ id: 'new' }), duplicate: false, first_frame_only: true }, { status: 201 }),
      ),
    )
    const { dialog, upload, picked } = await open()
    await dialog.findByRole('button', { name: 'A wet street' })
    await upload(aFile())
    expect(await dialog.findByText(/^The file is animated/)).toBeVisible()
    expect(picked()).toEqual([])
  })

  test('that is refused picks nothing, and says why', async () => {
    server.use(http.post('*/api/media/', () => refuse(422, 'image_unreadable')))
    const { dialog, upload, picked } = await open()
    await dialog.findByRole('button', { name: 'A wet street' })
    await upload(aFile())
    expect(await dialog.findByText(/^This image is damaged/)).toBeVisible()
    expect(dialog.getByText('street.jpg')).toBeVisible()
    expect(picked()).toEqual([])
  })

  test.each([undefined, ['a']])('goes on when the drawer is closed, and is picked (chosen: %s)', async (chosen) => {
    const slow = held()
    let aborted = false
    server.use(
      http.post('*/api/media/', async ({ request }) => {
        request.signal.addEventListener('abort', () => (aborted = true))
        await slow.until
        return HttpResponse.json({ ...anImage({ id: 'new' }), duplicate: false }, { status: 201 })
      }),
      http.get('*/api/media/:id/', () => HttpResponse.json({ ...anImage({ id: 'a' }), uses: [] })),
    )
    const { user, upload, picked } = openPage(chosen)
    await screen.findByRole('dialog')
    await upload(aFile())
    await user.keyboard('{Escape}')
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(screen.getByText('0 of 1 file uploaded')).toBeVisible()
    expect(picked()).toEqual([])
    slow.letGo()
    await waitFor(() => expect(picked()).toEqual(['new']))
    expect(aborted).toBe(false)
    expect(screen.queryByText(/file uploaded/)).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Choose' }))
    await screen.findByRole('dialog')
    expect(screen.queryByText(/file uploaded/)).toBeNull()
    expect(picked()).toEqual(['new'])
  })

  test('that fails when the drawer is closed says so, and is tried again there', async () => {
    const slow = held()
    server.use(
      http.post('*/api/media/', async () => {
        await slow.until
        return refuse(503, 'storage_unavailable')
      }, { once: true }),
      http.post('*/api/media/', () => HttpResponse.json({ ...anImage({ id: 'new' }), duplicate: false }, { status: 201 })),
    )
    const { user, upload, picked } = openPage()
    await screen.findByRole('dialog')
    await upload(aFile())
    await user.keyboard('{Escape}')
    slow.letGo()
    await user.click(await screen.findByRole('button', { name: 'Upload street.jpg again' }))
    await waitFor(() => expect(picked()).toEqual(['new']))
  })

  test('does not replace what was picked meanwhile', async () => {
    const slow = held()
    server.use(
      http.post('*/api/media/', async () => {
        await slow.until
        return HttpResponse.json({ ...anImage({ id: 'new', name: 'New' }), duplicate: false }, { status: 201 })
      }),
    )
    const { user, upload, picked } = openPage()
    await upload(aFile())
    await user.click(await screen.findByRole('button', { name: 'A wet street' }))
    expect(picked()).toEqual(['image'])
    slow.letGo()
    expect(await screen.findByText('1 of 1 file uploaded')).toBeVisible()
    expect(picked()).toEqual(['image'])
  })
})
