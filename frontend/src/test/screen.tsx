import type { QueryClient } from '@tanstack/react-query'
import { render } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ReactNode } from 'react'
import { createMemoryRouter, Outlet, RouterProvider } from 'react-router'
import { onTestFinished, vi } from 'vitest'
import { Messages } from '@/app/messages'
import { Providers } from '@/app/providers'
import { createQueryClient } from '@/app/query-client'
import { changeLanguage } from '@/i18n'
import type { Language } from '@/i18n/languages'

/** As in the app, but what fails is told at once and not after two more tries. */
export function newQueryClient(): QueryClient {
  const queryClient = createQueryClient()
  queryClient.setDefaultOptions({ ...queryClient.getDefaultOptions(), queries: { retry: false, refetchOnWindowFocus: false } })
  return queryClient
}

// for tests that bring their own router
export { Providers }

interface Place {
  /** The address at which it is opened. */
  at?: string
  /** The pattern of the addresses at which it stays; elsewhere there is an empty page. */
  path?: string
  queryClient?: QueryClient
}

/** Shows a part of a page as the app does: at an address, with toasts and questions over it. */
export function show(page: ReactNode, { at = '/', path = '*', queryClient = newQueryClient() }: Place = {}) {
  const here = { path, element: page }
  const elsewhere = { path: '*', element: null }
  // around all of them, so that a toast stays the same element when its page goes
  const around = { element: <><Messages /><Outlet /></>, children: path === '*' ? [here] : [here, elsewhere] }
  const router = createMemoryRouter([around], { initialEntries: [at] })
  const view = render(
    <Providers queryClient={queryClient}>
      <RouterProvider router={router} />
    </Providers>,
  )
  const address = () => router.state.location.pathname + router.state.location.search
  return { ...view, router, queryClient, address, user: userEvent.setup({ delay: null }) }
}

/** The interface in this language until the test is over. */
export async function speak(language: Language): Promise<void> {
  onTestFinished(async () => {
    await changeLanguage('en')
  })
  await changeLanguage(language)
}

/** The clock stands at this moment until the test is over; timers go on. */
export function itIs(moment: string): void {
  onTestFinished(() => {
    vi.useRealTimers()
  })
  vi.useFakeTimers({ now: new Date(moment), toFake: ['Date'] })
}
