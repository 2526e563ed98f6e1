import { notifications } from '@mantine/notifications'
import { http, HttpResponse } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { changeLanguage } from '@/i18n'
import { startAllTexts } from '@/test/texts'
import { connectClient } from '@/lib/api-client'

/** Many screens choose a brand; here there is none unless a test makes one. */
const noBrands = http.get('*/api/brands/', () => HttpResponse.json({ items: [], next_cursor: null, total: 0 }))

/**
 * What answers to the screens of a test file, which speak English. Each test begins with these answers alone, and
 * without the toasts of the one before.
 */
export function startServer(...handlers: Parameters<typeof setupServer>): ReturnType<typeof setupServer> {
  const server = setupServer(...handlers, noBrands)
  beforeAll(async () => {
    server.listen({ onUnhandledFrame: 'error' })
    connectClient()
    await startAllTexts()
    await changeLanguage('en')
  })
  afterEach(() => {
    notifications.clean()
    server.resetHandlers()
  })
  afterAll(() => server.close())
  return server
}
