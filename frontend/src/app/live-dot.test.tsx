import { act, screen } from '@testing-library/react'
import { expect, test } from 'vitest'
import { TimeZoneContext } from '@/i18n/locale'
import { setLiveState } from '@/lib/live-state'
import { itIs, show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { LiveDot } from './live-dot'

startServer()

function open() {
  itIs('2026-11-21T12:00:00Z')
  show(
    <TimeZoneContext value="UTC">
      <LiveDot />
    </TimeZoneContext>,
  )
}

test('whether the view follows the server is said as it changes', () => {
  setLiveState({ status: 'connecting' })
  open()
  expect(screen.getByRole('status')).toHaveTextContent('Connecting')
  act(() => setLiveState({ status: 'live' }))
  expect(screen.getByRole('status')).toHaveTextContent('Live')
})

test.each([
  ['en', '2026-11-21T08:05:00Z', 'Updates pausedsince 8:05'],
  ['en', '2026-11-20T08:05:00Z', 'Updates pausedsince yesterday at 8:05'],
  ['de', '2026-11-20T08:05:00Z', 'seit gestern um 8:05 Uhr'],
] as const)(
  'since when it stands still is said, with the day where it was another one: %s, %s',
  async (language, since, text) => {
    await speak(language)
    setLiveState({ status: 'stale', since: new Date(since) })
    open()
    expect(screen.getByRole('status')).toHaveTextContent(text)
  },
)
