import { QueryClient } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { expect, test } from 'vitest'
import type { TemplateOut } from '@/api/types.gen'
import { changeLanguage } from '@/i18n'
import type { Language } from '@/i18n/languages'
import { Questions } from '@/test/questions'
import { Providers } from '@/test/screen'
import { startServer } from '@/test/server'
import { settingsOf } from '@/features/templates/editor/settings'
import { TemplateHeader } from '@/features/templates/editor/template-header'
import { TemplateList } from './template-list'

const template: TemplateOut = {
  id: 'one',
  type: 'text',
  visibility: 'private',
  name: 'Practical tip',
  description: '',
  language: 'en',
  tags: ['tips'],
  usage_count: 0,
  used_by: 0,
  author: 'Mara Lind',
  source: { id: 'source', name: 'A tip a day', author: 'Postloom' },
  version: 4,
  version_id: 'version',
  body: 'About ((Topic))',
  settings: settingsOf(),
  variables: ['Topic'],
  published_at: null,
  sample_text: '',
  sample_url: null,
  created_at: '2026-11-21T12:00:00Z',
  updated_at: '2026-11-21T12:00:00Z',
}

const asked: URLSearchParams[] = []
startServer(
  http.get('*/api/templates/', ({ request }) => {
    asked.push(new URL(request.url).searchParams)
    return HttpResponse.json({ items: [template], next_cursor: 'more', total: 90 })
  }),
  http.get('*/api/templates/tags/', () =>
    HttpResponse.json([
      { tag: 'Autumn', count: 40 },
      { tag: 'tips', count: 1 },
    ]),
  ),
)

function show(Component: () => React.ReactNode) {
  const router = createMemoryRouter([{ path: '*', Component }], { initialEntries: ['/templates'] })
  render(
    <Providers queryClient={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
      <Questions>
        <RouterProvider router={router} />
      </Questions>
    </Providers>,
  )
  return { router, user: userEvent.setup() }
}

test('tags can be chosen that no template of this page has', async () => {
  await changeLanguage('en')
  const { router, user } = show(TemplateList)
  // two questions on their way at once may arrive in any order
  await waitFor(() => expect(asked).not.toHaveLength(0))
  await user.click(await screen.findByRole('combobox', { name: 'Tag' }))
  await user.click(await screen.findByRole('option', { name: 'Autumn (40)' }))
  await waitFor(() => expect(asked.at(-1)?.get('tag')).toBe('Autumn'))
  expect(router.state.location.search).toBe('?tag=Autumn')
})

test.each<[Language, string]>([
  ['en', 'In no assistant · Not used yet · Created Saturday, 21 November · Copy of A tip a day by Postloom'],
  ['de', 'In keinem Assistenten · Noch nicht verwendet · Erstellt am Samstag, 21. November · Kopie von A tip a day von Postloom'],
])('its facts are apart from one another (%s)', async (language, facts) => {
  await changeLanguage(language)
  show(() => <TemplateHeader template={template} tab="editor" />)
  const link = await screen.findByRole('link', { name: 'A tip a day' })
  expect(link.parentElement).toHaveTextContent(facts)
})
