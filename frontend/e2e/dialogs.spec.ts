import type { Locator, Page } from '@playwright/test'
import { expect, expectAccessibleInBothLooks, languages, speak, test } from './fixtures'

type Language = (typeof languages)[number]

/** What the walk looks for, in its language. */
const WORDS = {
  en: {
    decide: 'Look and decide',
    notifications: /^Notifications/,
    approve: /^Approve: /,
    again: /^Write again: /,
    decline: /^Decline: /,
    why: /^Why/,
    filters: 'Filters',
    selected: /selected/,
    line: 'Line 3',
    remove: 'Delete',
    move: 'Move',
    stop: 'Do not publish',
    publish: 'Publish now',
    subscribe: 'Subscribe',
    addAccount: 'Add account',
    allAccounts: 'All accounts',
    text: 'Text for all channels',
    images: 'Choose images',
    fine: 'All rules met',
  },
  de: {
    decide: 'Ansehen und entscheiden',
    notifications: /^Benachrichtigungen/,
    approve: /^Freigeben: /,
    again: /^Neu schreiben: /,
    decline: /^Ablehnen: /,
    why: /^Warum/,
    filters: 'Filter',
    selected: /ausgewählt/,
    line: 'Zeile 3',
    remove: 'Löschen',
    move: 'Verschieben',
    stop: 'Nicht veröffentlichen',
    publish: 'Jetzt veröffentlichen',
    subscribe: 'Abonnieren',
    addAccount: 'Konto hinzufügen',
    allAccounts: 'Alle Konten',
    text: 'Text für alle Kanäle',
    images: 'Bilder wählen',
    fine: 'Alle Regeln erfüllt',
  },
} satisfies Record<Language, Record<string, string | RegExp>>

/** Opened by keys, judged, and closed by one: the focus is back where it was. */
async function judge(page: Page, language: Language, opener: Locator, key = 'Enter') {
  await opener.focus()
  await page.keyboard.press(key)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toBeVisible()
  await expect(dialog.locator(':focus')).toHaveCount(1)
  await expectAccessibleInBothLooks(page, language, '[role=dialog]')
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(opener).toBeFocused()
}

test('everybody can use the pages of posts and what opens on them, by keys alone', async ({ api, assistant, demo, page }) => {
  test.setTimeout(240_000)
  const asking = await assistant({ name: 'Asks first', mode: 'approval', time: new Date(Date.now() + 90 * 60_000), lead_minutes: 1440 })
  await api('post', `/assistants/${asking.id}/activate/`)
  const written = ['Mudguards are not vain.', 'Lights are not optional.'].map((content) => ({ id: crypto.randomUUID(), content }))
  for (const one of written) {
    const post = { ...one, account_ids: demo.accounts.map(({ id }) => id), time_zone: 'UTC', language: 'en' }
    const { version } = (await api('post', '/social-media-posts/', post)) as { version: number }
    const planned_at = new Date(Date.now() + 2 * 24 * 60 * 60_000).toISOString()
    await api('post', `/social-media-posts/${one.id}/publish/`, { version, planned_at })
  }
  await expect(async () => {
    const asked = (await api('get', '/approvals/')) as { items: unknown[] }
    expect(asked.items).toHaveLength(1)
  }).toPass({ timeout: 60_000 })

  for (const language of languages) {
    const words = WORDS[language]
    const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first()
    await api('patch', '/users/me/', { language })
    await speak(page, language)

    // something waits, on the dashboard and among the approvals
    await page.goto('/')
    await expect(page.getByRole('link', { name: words.decide })).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    await judge(page, language, button(words.notifications))
    await page.goto('/social-media-posts?tab=approvals')
    await expect(button(words.approve)).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    await judge(page, language, button(words.again))
    await button(words.decline).press('Enter')
    await expect(page.getByRole('textbox', { name: words.why })).toBeFocused()
    await expectAccessibleInBothLooks(page, language, '.inbox-card')

    // the list, with rows and what is done to several of them
    await page.goto('/social-media-posts')
    await expect(page.getByRole('link', { name: 'Mudguards are not vain.' })).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    await judge(page, language, button(words.filters))
    await page.getByRole('checkbox', { name: /Mudguards/ }).focus()
    await page.keyboard.press('Space')
    await page.keyboard.press('ArrowDown')
    await expect(page.getByText(words.selected).first()).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    await page.keyboard.press('Escape')
    await page.goto('/social-media-posts?import=csv')
    await page.locator('input[type=file]').setInputFiles({
      name: 'posts.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from('content,planned_at,accounts\nGood.,,\n,yesterday,Nobody\n'),
    })
    await expect(page.getByText(words.line)).toBeVisible()
    await expectAccessibleInBothLooks(page, language, '[role=dialog]')

    // one post, and what is asked before something becomes of it
    await page.goto(`/social-media-posts/${written[0]?.id}`)
    await expect(button(words.move)).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    for (const name of [words.move, words.stop, words.remove]) await judge(page, language, button(name))

    // the calendar: a slot to come, a post on its way, and the address for other programs
    await page.goto('/calendar?view=agenda')
    const post = page.getByRole('link', { name: 'Mudguards are not vain.' })
    await expect(post).toBeVisible()
    await judge(page, language, page.locator('button.cev-open').first())
    await judge(page, language, post, 'm')
    await judge(page, language, button(words.subscribe))

    // the composer, with its images and the question before it publishes
    await page.goto('/social-media-posts?compose=new')
    await button(words.addAccount).press('Enter')
    await page.getByRole('menuitem', { name: words.allAccounts }).press('Enter')
    await page.getByRole('textbox', { name: words.text }).fill('Rain is no reason to drive. #bikes')
    await expect(page.getByText(words.fine).first()).toBeVisible()
    await expectAccessibleInBothLooks(page, language)
    await judge(page, language, button(words.images))
    await judge(page, language, button(words.publish))
  }
})
