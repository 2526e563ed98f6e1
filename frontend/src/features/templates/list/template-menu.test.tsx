import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { TemplateOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { anAssistant, aTemplate } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { TemplateMenu } from './template-menu'

const server = startServer()

beforeEach(() => {
  server.use(
    http.get('*/api/assistants/', () => HttpResponse.json({ items: [anAssistant()], next_cursor: null, total: 1 })),
    http.get('*/api/templates/template/tryouts/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })),
  )
})

async function open(template: TemplateOut = aTemplate(), props: { inList?: boolean } = {}) {
  const onDeleted = vi.fn()
  const shown = show(<TemplateMenu template={template} onDeleted={onDeleted} {...props} />)
  await shown.user.click(screen.getByRole('button', { name: new RegExp(template.name.slice(0, 10)) }))
  const choose = async (name: string | RegExp) => shown.user.click(await screen.findByRole('menuitem', { name }))
  return { ...shown, onDeleted, choose }
}

const items = async () => (await screen.findAllByRole('menuitem')).map((item) => item.textContent)

describe('what is offered', () => {
  test('for one of one’s own', async () => {
    await open()
    const offered = await items()
    expect(offered).toHaveLength(4)
    expect(offered.at(-1)).toBe('Delete template')
  })

  test('for one that is in the marketplace is to take it back, too', async () => {
    await open(aTemplate({ visibility: 'public' as TemplateOut['visibility'] }))
    expect(await items()).toHaveLength(5)
  })

  test('in a list is to open it, too', async () => {
    await open(aTemplate(), { inList: true })
    expect((await screen.findAllByRole('menuitem'))[0]).toHaveAttribute('href', '/templates/template')
  })
})

describe('a copy', () => {
  const serveCreate = (answer: (body: { name: string }) => Response) => {
    const sent: { name: string; body: string }[] = []
    server.use(
      http.post('*/api/templates/', async ({ request }) => {
        const body = (await request.json()) as { name: string; body: string }
        sent.push(body)
        return answer(body)
      }),
    )
    return sent
  }

  test('has all of it under another name, and can be taken back', async () => {
    const sent = serveCreate(({ name }) => HttpResponse.json(aTemplate({ id: 'copy', name }), { status: 201 }))
    const deleted = vi.fn(() => new HttpResponse(null, { status: 204 }))
    server.use(http.delete('*/api/templates/copy/', deleted))
    const { user, choose } = await open(aTemplate({ tags: ['tips'], description: 'For rain' }))
    await choose('Duplicate')
    expect(await screen.findByText(/Practical tip \(copy\)/)).toBeVisible()
    expect(sent).toEqual([
      { type: 'text', name: 'Practical tip (copy)', language: 'en', tags: ['tips'], description: 'For rain', body: 'Write about ((Topic)).', settings: {} },
    ])
    await user.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(deleted).toHaveBeenCalledOnce())
  })

  test('of one with a long name keeps to what a name may be, and cuts no character in two', async () => {
    const sent = serveCreate(({ name }) => HttpResponse.json(aTemplate({ id: 'copy', name }), { status: 201 }))
    const { choose } = await open(aTemplate({ name: '🚲'.repeat(59) }))
    await choose('Duplicate')
    await waitFor(() => expect(sent).toHaveLength(1))
    expect([...(sent[0]?.name ?? '')].length).toBeLessThanOrEqual(120)
    expect(sent[0]?.name).not.toMatch(/\p{Surrogate}/u)
    expect(sent[0]?.name).toMatch(/\(copy\)$/)
  })

  test('that could not be made says so', async () => {
    serveCreate(() => refuse(500, 'internal'))
    const { choose } = await open()
    await choose('Duplicate')
    expect(await screen.findByText(/An error occurred\. Please try again later\.$/)).toBeVisible()
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})

describe('deleting', () => {
  const serveDelete = (answer: () => Response) => {
    const calls = vi.fn(answer)
    server.use(http.delete('*/api/templates/template/', calls))
    return calls
  }
  const gone = () => new HttpResponse(null, { status: 204 })

  test('asks first, and goes on once it is gone', async () => {
    const calls = serveDelete(gone)
    const { user, choose, onDeleted } = await open()
    await choose('Delete template')
    const dialog = within(await screen.findByRole('dialog', { name: /Practical tip/ }))
    expect(calls).not.toHaveBeenCalled()
    await user.click(dialog.getByRole('button', { name: 'Delete template' }))
    await waitFor(() => expect(onDeleted).toHaveBeenCalledOnce())
    expect(calls).toHaveBeenCalledOnce()
  })

  test('is not done for No', async () => {
    const calls = serveDelete(gone)
    const { user, choose, onDeleted } = await open()
    await choose('Delete template')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(calls).not.toHaveBeenCalled()
    expect(onDeleted).not.toHaveBeenCalled()
  })

  test.each(['template', 'image_template'] as const)('one that an assistant uses as its %s names the assistant, and asks nothing', async (as) => {
    const pinned = { template_id: 'template', version_id: 'v', name: 'Tip', number: 1, latest_version_id: 'v', latest_number: 1 }
    server.use(
      http.get('*/api/assistants/', () => HttpResponse.json({ items: [anAssistant({ [as]: pinned }), anAssistant({ id: 'b', name: 'Other' })], next_cursor: null, total: 2 })),
    )
    const calls = serveDelete(gone)
    const { choose } = await open()
    await choose('Delete template')
    const told = await screen.findByText(/Cycling tips/)
    expect(told).not.toHaveTextContent('Other')
    expect(screen.queryByRole('dialog')).toBeNull()
    expect(calls).not.toHaveBeenCalled()
  })

  test('that is refused says why, and stays', async () => {
    serveDelete(() => refuse(409, 'in_use', { params: { by: 'Cycling tips' } }))
    const { user, choose, onDeleted } = await open()
    await choose('Delete template')
    await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete template' }))
    expect(await screen.findByText(/Cycling tips/)).toBeVisible()
    expect(onDeleted).not.toHaveBeenCalled()
  })
})

describe('taking back from the marketplace', () => {
  const shared = aTemplate({ visibility: 'public' as TemplateOut['visibility'], version: 4 })

  test('can itself be taken back', async () => {
    const sent: unknown[] = []
    server.use(
      http.post('*/api/templates/template/unpublish/', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json({ ...shared, visibility: 'private', version: 5 })
      }),
      http.post('*/api/templates/template/publish/', async ({ request }) => {
        sent.push(await request.json())
        return HttpResponse.json(shared)
      }),
    )
    const { user, choose } = await open(shared)
    await choose('Unpublish')
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sent).toEqual([{ version: 4 }, { version: 5, sample_tryout_id: null }]))
  })

  test('that does not work says so', async () => {
    server.use(http.post('*/api/templates/template/unpublish/', () => refuse(409, 'stale_version')))
    const { choose } = await open(shared)
    await choose('Unpublish')
    await waitFor(() => expect(document.querySelector('.mantine-Notification-root')).not.toBeNull())
    expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  })
})
