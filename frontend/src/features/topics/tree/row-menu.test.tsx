import { screen } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import type { TopicOut } from '@/api/types.gen'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { RowMenu } from './row-menu'

startServer()

const aTopic = (changes: Partial<TopicOut> = {}): TopicOut => ({
  id: 'w',
  parent_id: 'r',
  depth: 1,
  title: 'Weather',
  notes: '',
  enabled: true,
  weight: 1,
  times_used: 0,
  last_used_at: null,
  link: '',
  ...changes,
})

function open(topic: TopicOut) {
  const onAct = vi.fn()
  const shown = show(<RowMenu topic={topic} onAct={onAct} onClose={() => {}} />)
  return { ...shown, onAct, items: () => screen.getAllByRole('menuitem').map((item) => item.textContent) }
}

describe('the menu of a topic', () => {
  test('names all that can be done, with the keys for it', () => {
    expect(open(aTopic()).items()).toEqual([
      'Show details',
      'RenameF2',
      'DisableSpace',
      'Add topic belowIns',
      'Add subtopic⇧ Ins',
      'Suggest subtopics',
      'Import subtopics',
      'Copy with subtopics',
      'Move upAlt ↑',
      'Move downAlt ↓',
      'Move into the topic aboveAlt →',
      'Move up one levelAlt ←',
      'Move to…',
      'DeleteDel',
    ])
  })

  test('of the root has nothing that would move or delete it, or put something beside it', () => {
    expect(open(aTopic({ parent_id: null, depth: 0 })).items()).toEqual([
      'Show details',
      'RenameF2',
      'DisableSpace',
      'Add subtopic⇧ Ins',
      'Suggest subtopics',
      'Import subtopics',
      'Copy with subtopics',
    ])
  })

  test('of a disabled one enables it', async () => {
    const { user, onAct } = open(aTopic({ enabled: false }))
    await user.click(screen.getByRole('menuitem', { name: /^Enable/ }))
    expect(onAct).toHaveBeenCalledWith('toggle')
  })

  test('says whose it is, and names German keys in German', async () => {
    await speak('de')
    const { items } = open(aTopic())
    expect(screen.getByRole('button', { name: 'Aktionen: Weather', hidden: true })).toBeInTheDocument()
    expect(items()).toContain('LöschenEntf')
  })
})
