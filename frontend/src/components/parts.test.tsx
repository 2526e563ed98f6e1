import { screen, waitFor, within } from '@testing-library/react'
import i18n from 'i18next'
import { describe, expect, test, vi } from 'vitest'
import type { DeliveryOut } from '@/api/types.gen'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ChannelIcon, ChannelIcons, channelName } from './channel'
import { CursorPager } from './cursor-pager'
import { DataList } from './data-list'
import { deliveryStatus, waitsForSlot } from './delivery-status'
import { Failure } from './failure'
import { FilterChip } from './filter-chip'
import { LanguageMenu } from './language-menu'
import { LinkTabs } from './link-tabs'
import { ListFoot } from './list-foot'
import { StatusBadge } from './status'
import { TemplateText } from './template-text'

startServer()

describe('pages by cursor', () => {
  const pager = (at: string, cursor: string | undefined, nextCursor: string | null) =>
    show(<CursorPager label="Pages" newest="Newest" older="Older" cursor={cursor} nextCursor={nextCursor} />, { at })
  const href = (name: string) => screen.queryByRole('link', { name })?.getAttribute('href') ?? null

  test('of a single page are none', () => {
    pager('/runs', undefined, null)
    expect(screen.queryByRole('navigation')).toBeNull()
  })

  test.each([
    ['the first', '/runs?state=failed', undefined, 'abc', null, '/runs?state=failed&cursor=abc'],
    ['one in the middle', '/runs?cursor=abc&state=failed', 'abc', 'def', '/runs?state=failed', '/runs?cursor=def&state=failed'],
    ['the last', '/runs?cursor=def', 'def', null, '/runs', null],
  ])('on %s lead on, and back to the newest', (_, at, cursor, next, newest, older) => {
    pager(at, cursor, next)
    expect([href('Newest'), href('Older')]).toEqual([newest, older])
  })
})

describe('a network', () => {
  test.each([
    ['linkedin', 'LinkedIn'],
    ['whatsapp', 'WhatsApp'],
    ['linkedin_pages', 'LinkedIn Pages'],
    // a status of a newer server
    ['a network to come', 'a network to come'],
  ])('%s is called %s', (kind, name) => {
    expect(channelName(kind)).toBe(name)
    show(<ChannelIcon channel={kind} />)
    expect(screen.getByRole('img', { name })).toBeVisible()
  })

  test('is shown once and in its place, however many accounts there are on it, and whichever comes first', () => {
    show(<ChannelIcons channels={['facebook', 'linkedin', 'facebook']} />)
    expect(screen.getAllByRole('img').map((icon) => icon.getAttribute('aria-label'))).toEqual(['LinkedIn', 'Facebook'])
  })
})

describe('the status of a delivery', () => {
  const CALLED = '2026-11-21T09:00:00Z'
  test.each<[DeliveryOut['state'], string | null, string, boolean]>([
    ['pending', null, 'complete', true],
    ['publishing', null, 'complete', true],
    ['publishing', CALLED, 'publishing', false],
    ['pending', CALLED, 'complete', false],
    ['retrying', CALLED, 'retrying', false],
    ['held', null, 'held', false],
    ['unknown', CALLED, 'unknown', false],
    ['published', CALLED, 'published', false],
    ['failed', null, 'failed', false],
    ['cancelled', null, 'skipped', false],
  ])('that is %s, called %s, is %s', (state, called_at, status, waits) => {
    expect(deliveryStatus({ state, called_at })).toBe(status)
    expect(waitsForSlot({ state, called_at })).toBe(waits)
  })
})

describe('a status', () => {
  test('is a word, and not only a colour', () => {
    show(<StatusBadge status="unknown" />)
    expect(screen.getByText('Unclear')).toBeVisible()
  })

  test('can be told more closely', () => {
    show(<StatusBadge status="retrying" label="New attempt in 0:24" />)
    expect(screen.getByText('New attempt in 0:24')).toBeVisible()
    expect(screen.queryByText('Retrying')).toBeNull()
  })

  test('is German in German', async () => {
    await speak('de')
    show(<StatusBadge status="published" />)
    expect(screen.getByText('Veröffentlicht')).toBeVisible()
  })
})

test('a table names its columns and what it lists', () => {
  const rows = [
    { id: '1', name: 'One', count: 1 },
    { id: '2', name: 'Two', count: 2 },
  ]
  show(
    <DataList
      label="Numbers"
      rows={rows}
      rowKey={({ id }) => id}
      columns={[
        { key: 'name', header: 'Name', cell: ({ name }) => name },
        { key: 'count', header: 'Count', numeric: true, cell: ({ count }) => count },
      ]}
    />,
  )
  const table = within(screen.getByRole('table', { name: 'Numbers' }))
  expect(table.getAllByRole('columnheader').map((head) => head.textContent)).toEqual(['Name', 'Count'])
  expect(table.getAllByRole('row').slice(1).map((row) => row.textContent)).toEqual(['One1', 'Two2'])
})

describe('a filter', () => {
  test('says whether it is on, and how many it shows', async () => {
    const onClick = vi.fn()
    const { user } = show(
      <FilterChip selected count={1_234} onClick={onClick}>
        Failed
      </FilterChip>,
    )
    const chip = screen.getByRole('button', { name: 'Failed 1,234' })
    expect(chip).toHaveAttribute('aria-pressed', 'true')
    await user.click(chip)
    expect(onClick).toHaveBeenCalledOnce()
  })

  test('whose number is not known shows none', () => {
    show(
      <FilterChip selected={false} onClick={() => {}}>
        Failed
      </FilterChip>,
    )
    expect(screen.getByRole('button', { name: 'Failed' })).toHaveAttribute('aria-pressed', 'false')
  })
})

describe('the foot of a list', () => {
  test('offers more where there is more', async () => {
    const onMore = vi.fn()
    const { user } = show(
      <ListFoot hasMore loading={false} onMore={onMore}>
        2 of 5
      </ListFoot>,
    )
    expect(screen.getByRole('status')).toHaveTextContent('2 of 5')
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    expect(onMore).toHaveBeenCalledOnce()
  })

  test('asks once while more is on its way', async () => {
    const onMore = vi.fn()
    const { user } = show(
      <ListFoot hasMore loading onMore={onMore}>
        2 of 5
      </ListFoot>,
    )
    await user.click(screen.getByRole('button', { name: 'Load more' }))
    expect(onMore).not.toHaveBeenCalled()
  })
})

test('tabs with addresses say which one is open', () => {
  const tabs = [
    { name: 'social', label: 'Social posts', to: '/social-media-posts' },
    { name: 'articles', label: 'Articles', to: '/posts' },
  ]
  show(<LinkTabs label="Kinds of posts" tabs={tabs} current="articles" />)
  expect(screen.getByRole('link', { current: 'page' })).toHaveTextContent('Articles')
  expect(screen.getByRole('link', { name: 'Social posts' })).toHaveAttribute('href', '/social-media-posts')
})

test('in place of what could not be loaded stand the cause and one way on', async () => {
  const onRetry = vi.fn()
  const { user } = show(
    <Failure title="Posts could not be loaded" problem={{ status: 0, code: 'unreachable', detail: 'x', params: {}, errors: [] }} onRetry={onRetry} />,
  )
  expect(screen.getByRole('alert')).toHaveTextContent('The server did not answer. Check your connection, then try again.')
  await user.click(screen.getByRole('button', { name: 'Try again' }))
  expect(onRetry).toHaveBeenCalledOnce()
})

test('the variables of a template are marked, one’s own apart', () => {
  show(
    <p>
      <TemplateText body={'About ((Topic)) for ((Audience)), \\((not this)) and ((broken'} />
    </p>,
  )
  expect([...document.querySelectorAll('mark')].map((mark) => [mark.textContent, mark.hasAttribute('data-own')])).toEqual([
    ['((Topic))', false],
    ['((Audience))', true],
    ['((', false],
  ])
  expect(screen.getByText(/About/)).toHaveTextContent('About ((Topic)) for ((Audience)), \\((not this)) and ((broken')
})

test('the language is chosen from a menu by keyboard, which then speaks it', async () => {
  await speak('en')
  const { user } = show(<LanguageMenu />)
  await user.tab()
  expect(screen.getByRole('button', { name: 'Language: English' })).toHaveFocus()
  await user.keyboard('{Enter}')
  expect(await screen.findByRole('menuitem', { name: 'English' })).toHaveAttribute('aria-current', 'true')
  await user.click(screen.getByRole('menuitem', { name: 'Deutsch' }))
  await waitFor(() => expect(i18n.language).toBe('de'))
  expect(await screen.findByRole('button', { name: 'Sprache: Deutsch' })).toBeVisible()
})
