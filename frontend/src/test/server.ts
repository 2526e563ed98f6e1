import { notifications } from '@mantine/notifications'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll } from 'vitest'
import { changeLanguage } from '@/i18n'
import { startAllTexts } from '@/test/texts'
import { connectClient } from '@/lib/api-client'

/**
 * What answers to the screens of a test file, which speak English. Each test begins with these answers alone, and
 * without the toasts of the one before.
 */
export function startServer(...handlers: Parameters<typeof setupServer>): ReturnType<typeof setupServer> {
  const server = setupServer(...handlers)
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
