import { render, screen } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, onTestFinished, test, vi } from 'vitest'
import { newQueryClient, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { ErrorScreen } from './error-screen'
import { NotFound } from '@/components/not-found'
import { Providers } from './providers'

startServer()

/** Render a page that throws this error. */
async function breakWith(error: unknown) {
  // React logs every error that a page throws
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const page = () => {
    throw error
  }
  const router = createMemoryRouter([{ path: '*', Component: page, ErrorBoundary: ErrorScreen }])
  render(
    <Providers queryClient={newQueryClient()}>
      <RouterProvider router={router} />
    </Providers>,
  )
  return screen.findByRole('alert')
}

test('a page that breaks tells no secrets, and offers to start again', async () => {
  const alert = await breakWith(new TypeError('x.secret is undefined'))
  expect(alert).toHaveTextContent('This page could not be displayed. Your data is not affected.')
  expect(alert).not.toHaveTextContent('secret')
  expect(screen.getByRole('link')).toHaveAttribute('href', '/')
  expect(screen.getByRole('button', { name: 'Reload' })).toBeVisible()
  expect(document.title).toBe('An error occurred. Please try again later. · Postloom')
})

test('what the server refused is said in its words', async () => {
  const alert = await breakWith({ status: 503, code: 'storage_unavailable', detail: '', params: {}, errors: [] })
  expect(alert).toHaveTextContent(/file storage is not answering/)
})

test.each([
  'Failed to fetch dynamically imported module: https://postloom.example/assets/topics-1.js',
  'error loading dynamically imported module: https://postloom.example/assets/topics-1.js',
  'Importing a module script failed.',
  'Unable to preload CSS for /assets/topics-1.css',
])('a part of the app that did not load is told as that: %s', async (message) => {
  const alert = await breakWith(new TypeError(message))
  expect(alert).not.toHaveTextContent('This page could not be displayed')
  expect(screen.getByRole('heading', { level: 1 })).not.toHaveTextContent('An error occurred')
})

test.each([
  ['a part of the app that did not load', new TypeError('Importing a module script failed.'), 1],
  ['an answer that did not come', { status: 0, code: 'unreachable', detail: '', params: {}, errors: [] }, 1],
  ['what is broken', new Error('broken'), 0],
])('%s is asked for again once there is a connection', async (_, error, reloads) => {
  const reload = vi.fn()
  vi.stubGlobal('location', { ...location, reload })
  onTestFinished(() => void vi.unstubAllGlobals())
  await breakWith(error)
  window.dispatchEvent(new Event('online'))
  expect(reload).toHaveBeenCalledTimes(reloads)
})

test('in German it is said with du', async () => {
  await speak('de')
  const alert = await breakWith(new Error('broken'))
  expect(alert).toHaveTextContent(/[Dd]eine Daten/)
})

test('an address that leads nowhere says so, with a way back', () => {
  const router = createMemoryRouter([{ path: '*', Component: NotFound }], { initialEntries: ['/nowhere'] })
  render(
    <Providers queryClient={newQueryClient()}>
      <RouterProvider router={router} />
    </Providers>,
  )
  expect(screen.getByRole('heading', { level: 1 })).toBeVisible()
  expect(screen.getAllByRole('link').map((link) => link.getAttribute('href'))).toContain('/')
})
