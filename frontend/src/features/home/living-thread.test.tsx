import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { changeLanguage } from '@/i18n'
import { newQueryClient, Providers } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { LivingThread } from './living-thread'

/** Of the page that the tests share only what is asked here: whether the example is in sight, and motion is wanted. */
let see: (inSight: boolean) => void

beforeAll(async () => {
  await startAllTexts()
  await changeLanguage('en')
})

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      constructor(told: (entries: { isIntersecting: boolean }[]) => void) {
        see = (isIntersecting) => act(() => told([{ isIntersecting }]))
      }
      observe = () => undefined
      disconnect = () => undefined
    },
  )
})

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const show = () =>
  render(
    <Providers queryClient={newQueryClient()}>
      <LivingThread />
    </Providers>,
  )

const pass = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds))

test('for ears it is one picture that does not change', async () => {
  show()
  see(true)
  const example = screen.getByRole('img', { name: /^An example run of the assistant “Commuter tips”/ })
  expect(screen.queryByRole('list')).toBeNull()
  await pass(5_000)
  expect(example).toHaveAccessibleName(/Then it sleeps until Friday, 9:00\.$/)
})

test('it goes on while it is in sight, and stands still when it is not', async () => {
  show()
  await pass(20_000)
  expect(screen.getByText('Live on 1 of 2 profiles')).toBeVisible()
  see(true)
  await pass(4_600)
  expect(screen.getByText('Live on both profiles')).toBeVisible()
  see(false)
  await pass(20_000)
  expect(screen.getByText('Live on both profiles')).toBeVisible()
})

test('it can be stopped', async () => {
  const user = userEvent.setup({ advanceTimers: vi.advanceTimersByTime })
  show()
  see(true)
  await user.click(screen.getByRole('button', { name: 'Pause the example' }))
  await pass(20_000)
  expect(screen.getByText('Live on 1 of 2 profiles')).toBeVisible()
  expect(screen.getByRole('button', { name: 'Play the example' })).toBeVisible()
})

test('whoever wants less motion sees it stand, without a button', async () => {
  vi.stubGlobal('matchMedia', (query: string) => ({
    matches: query.includes('reduced-motion'),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }))
  show()
  see(true)
  await pass(20_000)
  expect(screen.getByText('Live on 1 of 2 profiles')).toBeVisible()
  expect(screen.queryByRole('button')).toBeNull()
})
