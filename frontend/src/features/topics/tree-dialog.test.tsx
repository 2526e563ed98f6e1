import { screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { TopicTreeOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { NewTreeDialog, TreeDialog } from './tree-dialog'

const tree: TopicTreeOut = {
  id: 'tree',
  name: 'Commuting',
  description: 'To work and back',
  version: 3,
  topic_count: 6,
  used_by: 0,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
}

let sent: unknown[]

const server = startServer(
  http.put('*/api/topics/tree/', async ({ request }) => {
    sent.push(await request.json())
    return HttpResponse.json(tree)
  }),
  http.post('*/api/topics/', async ({ request }) => {
    sent.push(await request.json())
    return HttpResponse.json({ ...tree, id: 'made', topics: [] }, { status: 201 })
  }),
)

beforeEach(() => {
  sent = []
})

describe('name and description of a tree', () => {
  async function open() {
    const onClose = vi.fn()
    const shown = show(<TreeDialog tree={tree} opened onClose={onClose} />)
    return { ...shown, onClose, name: await screen.findByLabelText('Name'), save: () => shown.user.click(screen.getByRole('button', { name: 'Save tree' })) }
  }

  test('are saved without spaces around them, over the version that was seen', async () => {
    const { user, name, save, onClose } = await open()
    await user.type(name, ' by bike ')
    await user.clear(screen.getByLabelText(/^Description/))
    await save()
    await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
    expect(sent).toEqual([{ name: 'Commuting by bike', description: '', version: 3 }])
  })

  test('without a name are not sent', async () => {
    const { user, name, save } = await open()
    await user.clear(name)
    await user.type(name, '   ')
    await save()
    expect(name).toBeInvalid()
    expect(sent).toEqual([])
  })

  test('that are too long say so at their field, which keeps them', async () => {
    server.use(
      http.put('*/api/topics/tree/', () =>
        refuse(422, 'invalid_input', { errors: [{ field: 'name', code: 'content_too_long', params: { length: 201, limit: 200 } }] }),
      ),
    )
    const { name, save, onClose } = await open()
    await save()
    await waitFor(() => expect(name).toBeInvalid())
    expect(name).toHaveAccessibleDescription(/200/)
    expect(name).toHaveValue('Commuting')
    expect(screen.queryByText(/^The tree was not saved/)).toBeNull()
    expect(onClose).not.toHaveBeenCalled()
  })

  test('that another tab has changed are not written over', async () => {
    server.use(http.put('*/api/topics/tree/', () => refuse(409, 'stale_version')))
    const { save, onClose } = await open()
    await save()
    expect(await screen.findByText(/^The tree was not saved\. This was changed elsewhere in the meantime/)).toBeVisible()
    expect(onClose).not.toHaveBeenCalled()
  })

  test('are left as they are by Cancel', async () => {
    const { user, name, onClose } = await open()
    await user.type(name, '!')
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(onClose).toHaveBeenCalledOnce()
    expect(sent).toEqual([])
  })
})

describe('a new tree', () => {
  async function open() {
    const onMade = vi.fn()
    const shown = show(<NewTreeDialog opened onClose={() => {}} onMade={onMade} />)
    await screen.findByLabelText('Name')
    return { ...shown, onMade, create: () => shown.user.click(screen.getByRole('button', { name: 'Create tree' })) }
  }

  test('has its root named like itself', async () => {
    const { user, onMade, create } = await open()
    await user.type(screen.getByLabelText('Name'), ' - Commuting ')
    await create()
    await waitFor(() => expect(onMade).toHaveBeenCalledWith('made'))
    expect(sent).toEqual([{ name: '- Commuting', description: '', text: '- - Commuting' }])
  })

  test('that could not be made says why, and what was typed stays', async () => {
    server.use(http.post('*/api/topics/', () => refuse(503, 'server_busy')))
    const { user, onMade, create } = await open()
    await user.type(screen.getByLabelText('Name'), 'Commuting')
    await create()
    expect(await screen.findByText(/^The tree was not created\. This server is very busy/)).toBeVisible()
    expect(screen.getByLabelText('Name')).toHaveValue('Commuting')
    expect(onMade).not.toHaveBeenCalled()
  })
})
