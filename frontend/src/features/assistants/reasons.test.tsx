import { QueryClient } from '@tanstack/react-query'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { AssistantOut } from '@/api/types.gen'
import { anAssistant } from '@/test/made'
import { startServer } from '@/test/server'

const server = startServer()

const paused = (reason: 'account_disabled' | null) => anAssistant({ pause: { until: null, reason } as AssistantOut['pause'] })

test('an answer that tells why something failed brings the words for it, and no other does', async () => {
  // as on a page that has just come: none of its texts is loaded
  vi.resetModules()
  const i18n = await import('@/i18n')
  await i18n.startI18n()
  const { assistantsQuery } = await import('./api')
  const said = () => i18n.spoken().t('errors.account_disabled')
  const list = async (reason: 'account_disabled' | null) => {
    server.use(http.get('*/api/assistants/', () => HttpResponse.json({ items: [paused(reason)], total: 1 })))
    await new QueryClient().fetchQuery(assistantsQuery({ search: '' }))
  }
  await list(null)
  expect(said()).toBe('errors.account_disabled')
  await list('account_disabled')
  expect(said()).not.toBe('errors.account_disabled')
})
