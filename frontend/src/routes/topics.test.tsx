import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { useSearchParams } from 'react-router'
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import type { TopicOut, TopicTreeOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { refuse } from '@/test/answers'
import { anAssistant } from '@/test/made'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { TopicTreeRoute } from './topic-tree'
import { TopicsRoute } from './topics'

const server = startServer()

const aTree = (changes: Partial<TopicTreeOut> = {}): TopicTreeOut => ({
  id: 'tree',
  name: 'Commuting',
  description: '',
  version: 1,
  topic_count: 2,
  used_by: 0,
  created_at: '2026-11-20T12:00:00Z',
  updated_at: '2026-11-20T12:00:00Z',
  ...changes,
})

const topic = (id: string, parent_id: string | null, title: string): TopicOut => ({
  id,
  parent_id,
  depth: parent_id ? 1 : 0,
  title,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
})
const TOPICS = [topic('root', null, 'Commuting'), topic('rain', 'root', 'Rain')]

let trees: TopicTreeOut[]
let asked: string[]

beforeAll(() => {
  // a window with room for the tree and a topic beside it, which jsdom does not lay out
  vi.spyOn(window, 'matchMedia').mockImplementation((media) =>
    Object.assign(new EventTarget(), {
      matches: media.startsWith('(min-width'),
      media,
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    }),
  )
  document.head.append(
    Object.assign(document.createElement('style'), { textContent: '.tree-scroll { overflow: auto }' }),
  )
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
})
beforeEach(() => {
  trees = [aTree()]
  asked = []
  server.use(
    http.get('*/api/topics/', ({ request }) => {
      const query = new URL(request.url).searchParams
      asked.push(query.get('search') ?? '')
      const at = Number(query.get('cursor') ?? 0)
      return HttpResponse.json({
        items: trees.slice(at, at + 2),
        next_cursor: trees.length > at + 2 ? String(at + 2) : null,
        total: trees.length,
      })
    }),
    http.get('*/api/topics/tree/', () => {
      asked.push('tree')
      const [tree] = trees
      return tree ? HttpResponse.json({ ...tree, topics: TOPICS }) : refuse(404, 'not_found')
    }),
    http.get('*/api/topics/tree/suggestions/', () => HttpResponse.json([])),
    http.get('*/api/topics/tree/feeds/', () => HttpResponse.json([])),
    http.get('*/api/users/account_setup_state/', () => HttpResponse.json({ complete: true, steps: [] })),
  )
})

/** Both pages of the address, as the router tells them apart. */
function Topics() {
  const [query] = useSearchParams()
  return query.get('tree') ? <TopicTreeRoute /> : <TopicsRoute />
}

function open(at = '/topics') {
  itIs('2026-11-21T12:00:00Z')
  return show(
    <TimeZoneContext value="UTC">
      <Topics />
    </TimeZoneContext>,
    { at, path: '/topics' },
  )
}

describe('the list of trees', () => {
  const row = async (name: string) => (await screen.findByRole('link', { name })).closest('tr')

  test('says of each how large it is, who uses it, and leads to it', async () => {
    trees = [
      aTree({ description: 'On the way to work', used_by: 2, topic_count: 1_234 }),
      aTree({ id: 'other', name: 'Money', topic_count: 1 }),
    ]
    open()
    expect(await row('Commuting')).toHaveTextContent(
      'CommutingOn the way to work1,234 topics2 assistantsFri 20 Nov, 12:00',
    )
    expect(await row('Money')).toHaveTextContent('Money1 topicNot used yet')
    expect(screen.getByRole('link', { name: 'Money' })).toHaveAttribute('href', '/topics?tree=other')
    expect(screen.getByText('2 topic trees')).toBeVisible()
  })

  test('goes on where it ended', async () => {
    trees = ['A', 'B', 'C'].map((name) => aTree({ id: name, name }))
    const { user } = open()
    await row('B')
    expect(screen.queryByRole('link', { name: 'C' })).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    await row('C')
    await waitFor(() => expect(screen.queryByRole('button', { name: 'Load more' })).toBeNull())
  })

  test('that finds nothing says what was looked for, and can be cleared', async () => {
    trees = []
    const { user, address } = open('/topics?search=zebra')
    expect(await screen.findByText('No topic tree is called “zebra”.')).toBeVisible()
    expect(asked).toEqual(['zebra'])
    await user.click(screen.getByRole('button', { name: 'Clear filters' }))
    expect(address()).toBe('/topics')
  })

  test.each([
    ['Import topics', '/topics?import'],
    ['New empty tree', '/topics?new'],
  ])('before the first one leads to %s', async (name, to) => {
    trees = []
    const { user, address } = open()
    const empty = (await screen.findByRole('heading', { name: 'No topic trees yet' })).parentElement as HTMLElement
    await user.click(within(empty).getByRole('button', { name }))
    expect(address()).toBe(to)
    expect(await screen.findByRole('dialog')).toBeVisible()
  })

  test('that could not be loaded is asked for again', async () => {
    server.use(http.get('*/api/topics/', () => refuse(500, 'internal'), { once: true }))
    const { user } = open()
    await screen.findByText('Topic trees could not be loaded')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await row('Commuting')).toBeVisible()
  })
})

describe('a tree', () => {
  const openTree = async (changes: Partial<TopicTreeOut> = {}) => {
    trees = [aTree(changes)]
    const shown = open('/topics?tree=tree')
    await screen.findByRole('heading', { level: 1, name: 'Commuting' })
    const choose = async (menu: string, item: string) => {
      await shown.user.click(screen.getByRole('button', { name: menu }))
      await shown.user.click(await screen.findByRole('menuitem', { name: item }))
    }
    return { ...shown, choose }
  }

  test.each<[string, Partial<TopicTreeOut>]>([
    ['2 topics, 2 enabled, not used yet', {}],
    ['2 topics, 2 enabled, used by 1 assistant', { used_by: 1 }],
  ])('says how large it is and who uses it: %s', async (text, changes) => {
    await openTree(changes)
    expect(screen.getByText(text)).toBeVisible()
  })

  describe('is deleted', () => {
    const remove = vi.fn(() => new HttpResponse(null, { status: 204 }))
    beforeEach(() => {
      remove.mockClear()
      server.use(
        http.delete('*/api/topics/tree/', () => {
          trees = []
          return remove()
        }),
      )
    })

    test('after a question, and the list is there again', async () => {
      const { user, choose, address } = await openTree()
      await choose('More', 'Delete topic tree')
      const dialog = within(await screen.findByRole('dialog', { name: 'Delete “Commuting”?' }))
      asked = []
      await user.click(dialog.getByRole('button', { name: 'Delete topic tree' }))
      expect(await screen.findByText('“Commuting” was deleted.')).toBeVisible()
      expect(await screen.findByRole('heading', { name: 'No topic trees yet' })).toBeVisible()
      expect(address()).toBe('/topics')
      // what is gone is not asked for
      expect(asked).not.toContain('tree')
    })

    test('not where the answer is no', async () => {
      const { user, choose } = await openTree()
      await choose('More', 'Delete topic tree')
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Cancel' }))
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
      expect(remove).not.toHaveBeenCalled()
    })

    const users = () => {
      const mine = anAssistant({ id: 'mine', name: 'Cycling tips', topic_tree_id: 'tree' })
      const other = anAssistant({ id: 'other', name: 'Recipes', topic_tree_id: 'food' })
      const later = anAssistant({ id: 'later', name: 'Road safety', topic_tree_id: 'tree' })
      server.use(
        http.get('*/api/assistants/', ({ request }) =>
          new URL(request.url).searchParams.get('cursor')
            ? HttpResponse.json({ items: [later], next_cursor: null, total: 3 })
            : HttpResponse.json({ items: [mine, other], next_cursor: '2', total: 3 }),
        ),
      )
    }
    const listed = async () => {
      const dialog = within(await screen.findByRole('dialog', { name: '“Commuting” is in use' }))
      await dialog.findByRole('link', { name: 'Road safety' })
      return dialog.getAllByRole('link').map((link) => [link.textContent, link.getAttribute('href')])
    }
    const USERS = [
      ['Cycling tips', '/assistants/mine'],
      ['Road safety', '/assistants/later'],
    ]

    test('not while assistants use it, of all pages: they are listed, and nothing is asked', async () => {
      users()
      const { choose } = await openTree({ used_by: 2 })
      await choose('More', 'Delete topic tree')
      expect(await listed()).toEqual(USERS)
      expect(remove).not.toHaveBeenCalled()
    })

    test('not where an assistant has taken it meanwhile', async () => {
      users()
      server.use(http.delete('*/api/topics/tree/', () => refuse(409, 'in_use')))
      const { user, choose } = await openTree()
      await choose('More', 'Delete topic tree')
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete topic tree' }))
      expect(await listed()).toEqual(USERS)
    })

    test('not where the server refuses, and it says why', async () => {
      server.use(http.delete('*/api/topics/tree/', () => refuse(500, 'internal')))
      const { user, choose, address } = await openTree()
      await choose('More', 'Delete topic tree')
      await user.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete topic tree' }))
      expect(await screen.findByRole('alert')).toHaveTextContent('The topic tree was not deleted. An error occurred.')
      expect(address()).toBe('/topics?tree=tree')
    })
  })

  describe('is taken along', () => {
    const LINES = '- Commuting\n-- Rain\n'
    const serveLines = () => server.use(http.get('*/api/topics/tree/export/', () => HttpResponse.text(LINES)))

    test('as a text file with its name', async () => {
      serveLines()
      const files: [string, Blob][] = []
      let blob: Blob
      URL.createObjectURL = vi.fn((made: Blob) => ((blob = made), 'blob:lines'))
      URL.revokeObjectURL = vi.fn()
      const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (
        this: HTMLAnchorElement,
      ) {
        files.push([this.download, blob])
      })
      const { choose } = await openTree()
      await choose('Export', 'Download as a text file')
      await waitFor(() => expect(files).toHaveLength(1))
      click.mockRestore()
      expect(files[0]?.[0]).toBe('Commuting.txt')
      expect(await files[0]?.[1].text()).toBe(LINES)
    })

    const clipboard = (write?: (items: { text: Promise<Blob> }[]) => Promise<void>) => {
      vi.stubGlobal(
        'ClipboardItem',
        class {
          text: Promise<Blob>
          constructor(parts: Record<string, Promise<Blob>>) {
            this.text = parts['text/plain'] ?? Promise.reject(new Error('no text'))
          }
        },
      )
      Object.defineProperty(navigator, 'clipboard', { configurable: true, value: write && { write } })
    }

    test('by the clipboard', async () => {
      serveLines()
      const { choose } = await openTree()
      const copied: string[] = []
      clipboard(async ([item]) => void copied.push((await (await item?.text)?.text()) ?? ''))
      await choose('Export', 'Copy all lines')
      expect(await screen.findByText('Lines copied.')).toBeVisible()
      expect(copied).toEqual([LINES])
    })

    test.each([
      ['there is no clipboard', undefined],
      ['the browser refuses', () => Promise.reject(new Error('denied'))],
    ])('where %s, another way is named', async (_, write) => {
      serveLines()
      const { choose } = await openTree()
      clipboard(write)
      await choose('Export', 'Copy all lines')
      expect(await screen.findByText(/^The browser does not allow copying here/)).toBeVisible()
    })

    test('lines that could not be read are the server’s fault, not the clipboard’s', async () => {
      await speak('de')
      trees = [aTree()]
      server.use(http.get('*/api/topics/tree/export/', () => refuse(500, 'internal')))
      const { user } = open('/topics?tree=tree')
      clipboard(async ([item]) => void (await item?.text))
      await user.click(await screen.findByRole('button', { name: 'Exportieren' }))
      await user.click(await screen.findByRole('menuitem', { name: 'Alle Zeilen kopieren' }))
      expect(await screen.findByText('Die Themen konnten nicht geladen werden.')).toBeVisible()
    })
  })

  test('that could not be loaded is asked for again', async () => {
    server.use(http.get('*/api/topics/tree/', () => refuse(500, 'internal'), { once: true }))
    const { user } = open('/topics?tree=tree')
    await screen.findByText('This topic tree could not be loaded')
    await user.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { level: 1, name: 'Commuting' })).toBeVisible()
  })

  test('opens with an import under one of its topics by its address', async () => {
    const { address, user } = open('/topics?tree=tree&topic=rain&import=branch')
    const dialog = within(await screen.findByRole('dialog'))
    expect(dialog.getByText(/Rain/)).toBeVisible()
    await user.click(dialog.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(address()).not.toContain('import'))
    expect(address()).toContain('tree=tree')
  })
})
