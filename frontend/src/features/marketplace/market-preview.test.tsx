import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import type { MarketTemplateDetail } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { MarketPreview } from './market-preview'

const aMarketTemplate = (changes: Partial<MarketTemplateDetail> = {}): MarketTemplateDetail => ({
  id: 'tip',
  origin: 'community',
  type: 'text',
  name: 'A tip',
  description: 'One tip a day',
  language: 'en',
  tags: [],
  author: 'Mara Lind',
  usage_count: 0,
  own: false,
  copied: false,
  variables: ['Topic', 'Season'],
  sample_text: 'Wipe the chain.',
  sample_is_demo: false,
  sample_url: null,
  is_carousel: false,
  card: null,
  updated_at: '2026-11-20T12:00:00Z',
  body: 'Write about ((Topic)).',
  settings: { text: { tone: 'dry', max_characters: 900 }, image: {} },
  ...changes,
})

const server = startServer()

async function open(template: MarketTemplateDetail, onClose = vi.fn()) {
  itIs('2026-11-21T12:00:00Z')
  server.use(http.get('*/api/marketplace/tip/', () => HttpResponse.json(template)))
  const shown = show(<MarketPreview opened templateId="tip" next={<a href="#next">To the assistant</a>} onClose={onClose} />, { at: '/marketplace' })
  const drawer = within(await screen.findByRole('dialog', { name: template.name }))
  /** What stands behind the name of a fact; nothing where there is no such fact. */
  const fact = (name: string) => drawer.queryByText(name, { selector: 'dt' })?.nextElementSibling?.textContent
  return { ...shown, drawer, fact, onClose }
}

describe('what it says of a template', () => {
  test('for texts: tone, length, model and variables', async () => {
    const { fact } = await open(aMarketTemplate())
    expect([fact('Tone'), fact('Length'), fact('Model'), fact('Variables')]).toEqual([
      'dry',
      'At most 900 characters',
      'Server default',
      'Topic, Season',
    ])
    expect(fact('Created by')).toBeUndefined()
  })

  test('for texts: nothing of what is not set', async () => {
    const { fact } = await open(aMarketTemplate({ variables: [], settings: { text: { model: 'gpt-6-sol' }, image: {} } }))
    expect([fact('Tone'), fact('Length'), fact('Variables')]).toEqual([undefined, undefined, undefined])
    expect(fact('Model')).toBe('gpt-6-sol')
  })

  test.each([
    ['a card', { engine: 'card', style: 'flat', card: { layout: 'steps' } }, ['Card', 'Steps', undefined], 'Text on the card'],
    ['a card of a newer server', { engine: 'card', card: { layout: 'two_columns' } }, ['Card', 'Two columns', undefined], 'Text on the card'],
    ['an image model', { engine: 'ai', style: 'flat', card: { layout: 'steps' } }, ['Image model', undefined, 'flat'], 'Template'],
  ])('for images by %s: what that one goes by', async (_, image, facts, body) => {
    const settings = { text: {}, image } as MarketTemplateDetail['settings']
    const { fact, drawer } = await open(aMarketTemplate({ type: 'image', settings, sample_url: '/sample.png' }))
    expect([fact('Created by'), fact('Layout'), fact('Style')]).toEqual(facts)
    expect(drawer.getByRole('region', { name: body })).toHaveTextContent('Write about ((Topic)).')
  })

  test.each([
    [0, 'By Mara Lind · not used yet · changed Fri 20 Nov'],
    [1, 'By Mara Lind · used once · changed Fri 20 Nov'],
    [1_204, 'By Mara Lind · used 1,204 times · changed Fri 20 Nov'],
  ])('who made it, and that %i used it', async (usage_count, line) => {
    const { drawer } = await open(aMarketTemplate({ usage_count }))
    expect(drawer.getByText(line)).toBeVisible()
  })

  test('an author without a name is not left out', async () => {
    await speak('de')
    const { drawer } = await open(aMarketTemplate({ author: '' }))
    expect(drawer.getByText(/^Von einer anonymen Person · noch nicht verwendet/)).toBeVisible()
  })

  test('without a sample, that there is none', async () => {
    const { drawer } = await open(aMarketTemplate({ sample_text: '' }))
    expect(drawer.getByRole('region', { name: 'Sample' })).toHaveTextContent('There is no sample. Copy the template and try it out.')
  })

  test('a picture that its owner chose stands in for nothing', async () => {
    const settings = { text: {}, image: { engine: 'ai' as const } }
    const { drawer } = await open(aMarketTemplate({ type: 'image', settings, sample_url: '/sample.png' }))
    expect(drawer.getByRole('img', { name: 'Sample image of “A tip”' })).toHaveAttribute('src', '/sample.png')
    expect(drawer.queryByText(/A card is shown here/)).toBeNull()
  })
})

describe('a copy', () => {
  test('is made, opened by its own address, and what is next is offered', async () => {
    server.use(http.post('*/api/marketplace/tip/copy/', () => HttpResponse.json({ id: 'mine', name: 'A tip (copy)' }, { status: 201 })))
    const { drawer, user } = await open(aMarketTemplate())
    expect(drawer.queryByRole('link', { name: 'To the assistant' })).toBeNull()
    await user.click(drawer.getByRole('button', { name: 'Copy to my templates' }))
    expect(await screen.findByText('“A tip (copy)” is in your templates.')).toBeVisible()
    expect(drawer.getByRole('link', { name: 'Open copy' })).toHaveAttribute('href', '/templates/mine')
    expect(drawer.getByRole('link', { name: 'To the assistant' })).toBeVisible()
  })

  test('that was made before is said until there is another', async () => {
    server.use(http.post('*/api/marketplace/tip/copy/', () => HttpResponse.json({ id: 'second', name: 'A tip' }, { status: 201 })))
    const { drawer, user } = await open(aMarketTemplate({ copied: true }))
    expect(drawer.getByText('You already have a copy.')).toBeVisible()
    await user.click(drawer.getByRole('button', { name: 'Copy again' }))
    expect(await screen.findByText(/You already have a copy of/)).toBeVisible()
    await user.click(screen.getByRole('button', { name: 'Copy to my templates' }))
    await drawer.findByRole('link', { name: 'Open copy' })
    expect(drawer.queryByText('You already have a copy.')).toBeNull()
  })

  test('that was refused says why, and can be tried again', async () => {
    server.use(
      http.post('*/api/marketplace/tip/copy/', () => refuse(404, 'not_found'), { once: true }),
      http.post('*/api/marketplace/tip/copy/', () => HttpResponse.json({ id: 'mine', name: 'A tip' }, { status: 201 })),
    )
    const { drawer, user } = await open(aMarketTemplate())
    await user.click(drawer.getByRole('button', { name: 'Copy to my templates' }))
    expect(await screen.findByRole('alert')).toBeVisible()
    expect(drawer.queryByRole('link', { name: 'Open copy' })).toBeNull()
    await user.click(drawer.getByRole('button', { name: 'Copy to my templates' }))
    expect(await drawer.findByRole('link', { name: 'Open copy' })).toBeVisible()
  })

  test('of one’s own is none: it is edited', async () => {
    const { drawer } = await open(aMarketTemplate({ own: true }))
    expect(drawer.getByRole('link', { name: 'Edit' })).toHaveAttribute('href', '/templates/tip')
    expect(drawer.queryByRole('button', { name: /Copy/ })).toBeNull()
  })
})

test('one that could not be loaded is told, and asked for again', async () => {
  server.use(
    http.get('*/api/marketplace/tip/', () => refuse(503, 'server_busy'), { once: true }),
    http.get('*/api/marketplace/tip/', () => HttpResponse.json(aMarketTemplate())),
  )
  const { user } = show(<MarketPreview opened templateId="tip" next={null} onClose={() => {}} />)
  expect(await screen.findByText('The template could not be loaded')).toBeVisible()
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('One tip a day')).toBeVisible()
})

test('without a template nothing is opened or asked for; Escape closes', async () => {
  const asked = vi.fn()
  server.use(http.get('*/api/marketplace/*', () => (asked(), HttpResponse.json(aMarketTemplate()))))
  const { unmount } = show(<MarketPreview opened={false} templateId="" next={null} onClose={() => {}} />)
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(asked).not.toHaveBeenCalled()
  unmount()
  const { user, onClose } = await open(aMarketTemplate())
  await user.keyboard('{Escape}')
  await waitFor(() => expect(onClose).toHaveBeenCalledOnce())
})
