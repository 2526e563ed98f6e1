import { screen, waitFor } from '@testing-library/react'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { MoveDialog } from './move-dialog'
import { treeShape } from './tree-rows'

startServer()

const topic = (id: string, parent_id: string | null, depth: number): TopicOut => ({
  id,
  parent_id,
  depth,
  title: `Topic ${id}`,
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
})

/** r(a(a1 a2) b c d) */
const TOPICS = [
  topic('r', null, 0),
  topic('a', 'r', 1),
  topic('a1', 'a', 2),
  topic('a2', 'a', 2),
  topic('b', 'r', 1),
  topic('c', 'r', 1),
  topic('d', 'r', 1),
]

beforeAll(() => {
  // the list has room for all of them, which jsdom does not lay out
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600)
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(400)
})

async function open(moved: string) {
  const [onMove, onClose] = [vi.fn(), vi.fn()]
  const shape = treeShape(TOPICS)
  const shown = show(
    <MoveDialog opened shape={shape} topic={TOPICS.find(({ id }) => id === moved)} onMove={onMove} onClose={onClose} />,
  )
  const field = await screen.findByRole('combobox', { name: 'Under which topic?' })
  const options = () => screen.queryAllByRole('option').map((option) => option.firstChild?.textContent)
  /** The one that Enter takes, as those hear it who do not see it. */
  const active = () =>
    document.getElementById(field.getAttribute('aria-activedescendant') ?? '')?.firstChild?.textContent
  return { ...shown, onMove, onClose, field, options, active }
}

describe('the topic under which another one goes', () => {
  test('is none of its own branch, and says where it stands', async () => {
    const { options } = await open('a')
    await waitFor(() => expect(options()).toEqual(['Topic r', 'Topic b', 'Topic c', 'Topic d']))
    expect(screen.getByRole('option', { name: /^Topic r/ })).toHaveTextContent('Root topic')
    expect(screen.getByRole('option', { name: /^Topic b/ })).toHaveTextContent('Topic bTopic r')
  })

  test.each([
    ['{ArrowDown}{ArrowDown}', 'Topic c'],
    ['{ArrowDown}{ArrowDown}{ArrowUp}', 'Topic b'],
    ['{ArrowUp}', 'Topic r'],
    ['{PageDown}', 'Topic d'],
    ['{PageDown}{PageDown}{ArrowDown}', 'Topic d'],
    ['{PageDown}{PageUp}', 'Topic r'],
  ])('is reached by %s: %s', async (keys, title) => {
    const { user, active, onMove, field } = await open('a')
    field.focus()
    await user.keyboard(keys)
    expect(active()).toBe(title)
    await user.keyboard('{Enter}')
    expect(onMove).toHaveBeenCalledWith(title.slice(-1))
  })

  test('is found by a part of its title, and is the first one again after each letter', async () => {
    const { user, field, active, options } = await open('d')
    await user.type(field, 'A')
    await waitFor(() => expect(options()).toEqual(['Topic a', 'Topic a1', 'Topic a2']))
    await user.keyboard('{ArrowDown}')
    expect(active()).toBe('Topic a1')
    await user.keyboard('2')
    await waitFor(() => expect(options()).toEqual(['Topic a2']))
    expect(active()).toBe('Topic a2')
  })

  test('that nobody has cannot be taken', async () => {
    const { user, field, onMove } = await open('d')
    await user.type(field, 'zebra')
    expect(await screen.findByText('No topic contains “zebra”.')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Move topic' })).toBeDisabled()
    await user.keyboard('{ArrowDown}{Enter}')
    expect(onMove).not.toHaveBeenCalled()
    expect(field).not.toHaveAttribute('aria-activedescendant')
  })

  test('is chosen by a click, and taken by a double click', async () => {
    const { user, active, onMove } = await open('d')
    await user.click(await screen.findByRole('option', { name: /^Topic b/ }))
    expect(active()).toBe('Topic b')
    expect(onMove).not.toHaveBeenCalled()
    await user.dblClick(screen.getByRole('option', { name: /^Topic a1/ }))
    expect(onMove).toHaveBeenCalledWith('a1')
  })
})
