import { screen, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import type { MailTiming, NotificationSettingOut } from '@/api/types.gen'
import { refuse } from '@/test/answers'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import MailChoices from './mail-choices'

const ALL: MailTiming[] = ['at_once', 'daily', 'never']
let settings: NotificationSettingOut[]
const chosen = vi.fn()

const server = startServer(
  http.get('*/api/notifications/settings/', () => HttpResponse.json(settings)),
  http.put<{ topic: string }, { mail: MailTiming }>('*/api/notifications/settings/:topic/', async ({ params, request }) => {
    const { mail } = await request.json()
    chosen(params.topic, mail)
    settings = settings.map((one) => (one.topic === params.topic ? { ...one, mail } : one))
    return HttpResponse.json(settings.find(({ topic }) => topic === params.topic))
  }),
)

function open() {
  settings = [
    { topic: 'approval', mail: 'at_once', choices: ALL },
    { topic: 'failed', mail: 'daily', choices: ALL },
    { topic: 'overview', mail: 'never', choices: ['daily', 'never'] },
  ]
  chosen.mockClear()
  return show(<MailChoices />)
}

const group = async (name: string) => within(await screen.findByRole('radiogroup', { name }))

test.each([
  ['en', 'A post, an article, a run, an update, a deletion or the calculation of slots has failed', 'Everything in one overview', ['Instantly', 'Daily', 'Never']],
  ['de', 'Ein Beitrag, ein Artikel, ein Lauf, eine Aktualisierung, das Löschen oder die Berechnung der Termine ist fehlgeschlagen', 'Alles in einem Überblick', ['Sofort', 'Täglich', 'Nie']],
] as const)('each topic shows what is chosen, the overview without what makes no sense: %s', async (language, failed, overview, words) => {
  await speak(language)
  open()
  expect((await group(failed)).getByRole('radio', { name: words[1] })).toBeChecked()
  const choices = (await group(overview)).getAllByRole('radio')
  expect(choices.map((choice) => choice.getAttribute('value'))).toEqual(['daily', 'never'])
})

test('a choice is saved at once, by the keyboard, too, and can be taken back', async () => {
  const { user } = open()
  const asked = await group('A post or an article needs your approval')
  asked.getByRole('radio', { name: 'Instantly' }).focus()
  await user.keyboard('{ArrowRight}')
  expect(asked.getByRole('radio', { name: 'Daily' })).toBeChecked()
  await vi.waitFor(() => expect(chosen).toHaveBeenLastCalledWith('approval', 'daily'))
  await user.click(await screen.findByRole('button', { name: 'Undo' }))
  await vi.waitFor(() => expect(chosen).toHaveBeenLastCalledWith('approval', 'at_once'))
  expect(asked.getByRole('radio', { name: 'Instantly' })).toBeChecked()
})

test('what could not be saved is as it was, and told', async () => {
  const { user } = open()
  server.use(http.put('*/api/notifications/settings/:topic/', () => refuse(503, 'unavailable')))
  const asked = await group('A post or an article needs your approval')
  await user.click(asked.getByRole('radio', { name: 'Never' }))
  expect(await screen.findByText(/^A post or an article needs your approval was not changed\./)).toBeVisible()
  expect(asked.getByRole('radio', { name: 'Instantly' })).toBeChecked()
})
