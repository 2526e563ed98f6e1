import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { refuse } from '@/test/answers'
import { aTemplate } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { CommandMenu } from './command-menu'

const server = startServer(http.get('*/api/search/', () => HttpResponse.json({ items: [] })))

function open() {
  const onClose = vi.fn()
  const shown = show(<CommandMenu opened onClose={onClose} />, { at: '/topics' })
  return { ...shown, onClose, field: screen.getByRole('combobox') }
}

const options = () => screen.getAllByRole('option').map((option) => option.textContent)

describe('what is typed', () => {
  test.each([
    ['invit', ['InvitationsAccount', 'New invitation']],
    ['account soc', ['Social AccountsAccount']],
    ['SOCIAL MEDIA', ['PostsSocial Media', 'Topic TreesSocial Media', 'AssistantsSocial Media', 'CalendarSocial Media']],
    ['dark', ['Dark mode']],
  ])('finds by words of a name or its group: %s', async (typed, found) => {
    const { user, field } = open()
    await user.type(field, typed)
    expect(options()).toEqual(found)
  })

  test('waits for the server before it says that there is nothing', async () => {
    let answer = () => {}
    server.use(
      http.get('*/api/search/', async () => {
        await new Promise<void>((resolve) => (answer = resolve))
        return HttpResponse.json({ items: [] })
      }),
    )
    const { user, field } = open()
    await user.type(field, 'qqq')
    expect(screen.getByRole('status')).toHaveTextContent('Searching…')
    await waitFor(() => {
      answer()
      expect(screen.getByRole('status')).toHaveTextContent('No results for “qqq”.')
    })
  })

  test('finds what is on the server by kind, between pages and actions, and what has no name', async () => {
    server.use(
      http.get('*/api/search/', () =>
        HttpResponse.json({
          items: [
            { kind: 'image', id: 'i', name: '', planned_at: null },
            { kind: 'template', id: 't', name: 'A new tip', planned_at: null },
            { kind: 'topic_tree', id: 'e', name: 'News', planned_at: null },
          ],
        }),
      ),
    )
    const { user, field } = open()
    await user.type(field, 'new')
    await screen.findByRole('group', { name: 'Files' })
    expect(options().slice(0, 3)).toEqual(['A new tip', 'News', 'Without a name'])
    expect(within(screen.getByRole('group', { name: 'Actions' })).getByText('New template')).toBeVisible()
  })
})

test('posts of one name are told apart by their time', async () => {
  const called = (id: string, planned_at: string | null) => ({ kind: 'post', id, name: 'Zebra', planned_at })
  server.use(http.get('*/api/search/', () => HttpResponse.json({ items: [called('a', '2026-11-21T09:00:00Z'), called('b', null)] })))
  const { user, field, address } = open()
  await user.type(field, 'zebra')
  expect(await screen.findByRole('option', { name: 'Zebra' })).toBeVisible()
  await user.click(screen.getByRole('option', { name: /^Zebra ?Sat 21 Nov/ }))
  await waitFor(() => expect(address()).toBe('/social-media-posts/a'))
})

describe('what is chosen', () => {
  test.each([
    ['assistant', '/assistants/x'],
    ['template', '/templates/x'],
    ['topic_tree', '/topics?tree=x'],
    ['post', '/social-media-posts/x'],
    ['image', '/media-gallery?image=x'],
  ])('of the kind %s is opened at its address', async (kind, path) => {
    server.use(http.get('*/api/search/', () => HttpResponse.json({ items: [{ kind, id: 'x', name: 'Zebra', planned_at: null }] })))
    const { user, field, address, onClose } = open()
    await user.type(field, 'zebra')
    await user.click(await screen.findByRole('option', { name: 'Zebra' }))
    await waitFor(() => expect(address()).toBe(path))
    expect(onClose).toHaveBeenCalledOnce()
  })

  test('by the arrows counts, not what stands first', async () => {
    const { user, field, address } = open()
    await user.type(field, 'social media')
    await user.keyboard('{ArrowDown}{ArrowDown}{Enter}')
    await waitFor(() => expect(address()).toBe('/topics'))
  })

  test('is forgotten with the next letter: Enter takes the first again', async () => {
    const { user, field, address } = open()
    await user.type(field, 'social')
    await user.keyboard('{ArrowDown}{ArrowDown}{ArrowDown}')
    await user.type(field, ' media cal')
    await user.keyboard('{Enter}')
    await waitFor(() => expect(address()).toBe('/calendar'))
  })
})

describe('an action', () => {
  test.each([
    ['New post', '/social-media-posts?compose=new'],
    ['New assistant', '/assistants?new'],
    ['New template', '/templates?new'],
    ['New empty tree', '/topics?new'],
    ['Import topics', '/topics?import'],
    ['New invitation', '/invitations?new'],
    ['New API key', '/account?tab=api-keys&new'],
  ])('%s opens it where it belongs', async (name, to) => {
    const { user, address, onClose } = open()
    await user.click(screen.getByRole('option', { name }))
    await waitFor(() => expect(address()).toBe(to))
    expect(onClose).toHaveBeenCalled()
  })

  test('is not taken by the Enter that ends a word of an input method', async () => {
    const { user, field, address } = open()
    await user.type(field, 'calendar')
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true })
    expect(address()).toBe('/topics')
    fireEvent.keyDown(field, { key: 'Enter' })
    await waitFor(() => expect(address()).toBe('/calendar'))
  })
})

describe('trying out a template', () => {
  const tryOut = async () => {
    const opened = open()
    await opened.user.click(screen.getByRole('option', { name: 'Try out a template' }))
    return opened
  }

  test('opens the one that was changed last', async () => {
    server.use(
      http.get('*/api/templates/', ({ request }) => {
        expect(new URL(request.url).searchParams.get('page_size')).toBe('1')
        return HttpResponse.json({ items: [aTemplate({ id: 'last' })], next_cursor: null, total: 3 })
      }),
    )
    const { address } = await tryOut()
    await waitFor(() => expect(address()).toBe('/templates/last'))
  })

  test('without any begins with a new one', async () => {
    server.use(http.get('*/api/templates/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 })))
    const { address } = await tryOut()
    await waitFor(() => expect(address()).toBe('/templates?new'))
  })

  test('that cannot be found says why, and stays', async () => {
    server.use(http.get('*/api/templates/', () => refuse(503, 'server_busy')))
    const { address } = await tryOut()
    expect(await screen.findByRole('alert')).toHaveTextContent('Templates could not be loaded')
    expect(address()).toBe('/topics')
  })
})

test('the other language is offered by its own name, and pages are found by theirs', async () => {
  await speak('de')
  const { user, field } = open()
  expect(screen.getByRole('option', { name: /English/ })).toBeVisible()
  await user.type(field, 'themenb')
  expect(options()[0]).toMatch(/^Themenbäume/)
})
