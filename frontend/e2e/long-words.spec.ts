import { expect, test } from './fixtures'

const NAME = 'W'.repeat(120)

/** Return by how many pixels the page or its main part is wider than the screen. */
const excess = () =>
  Math.max(
    ...[document.documentElement, document.querySelector('main')!].map((one) => one.scrollWidth - one.clientWidth),
  )

test('words without an end stay in their place, on every list and page', async ({ page, api }) => {
  const content = {
    type: 'text',
    name: NAME,
    description: 'D'.repeat(1_500),
    language: 'en',
    tags: ['T'.repeat(40)],
    body: `${'B'.repeat(600)} ((Topic))`,
  }
  const { id } = (await api('post', '/templates/', content)) as { id: string }
  await api('put', `/templates/${id}/`, { ...content, body: 'C'.repeat(600), version: 1 })
  await api('post', `/templates/${id}/publish/`, { version: 2 })
  await api('post', '/topics/', { name: NAME, text: `- ${NAME}\n-- ${'X'.repeat(190)}` })
  await api('post', '/assistants/', {
    name: NAME,
    schedule: { frequency: 'daily', time_zone: 'Europe/Berlin', time_slots: ['09:00'] },
    mode: 'draft',
    language: 'en',
  })
  const [assistant] = ((await api('get', '/assistants/')) as { items: { id: string }[] }).items
  const pages = [
    '/templates',
    `/templates/${id}`,
    `/templates/${id}?tab=versions`,
    '/marketplace?origin=community',
    `/marketplace?template=${id}`,
    '/topics',
    '/assistants',
    `/assistants/${assistant!.id}`,
  ]
  const atEachWidth = async (judge: (width: number) => Promise<void>) => {
    for (const width of [1440, 1000, 360]) {
      await page.setViewportSize({ width, height: 800 })
      await judge(width)
    }
  }
  for (const path of pages) {
    await page.goto(path)
    await atEachWidth(async (width) => {
      await expect(page.getByText(NAME).first()).toBeVisible()
      await expect.poll(() => page.evaluate(excess), `${path} at ${width}`).toBeLessThanOrEqual(0)
    })
  }
  await page.goto('/templates')
  await atEachWidth(() => expect(page.getByRole('button', { name: `Actions for ${NAME}` })).toBeInViewport())
  await page.goto(`/templates/${id}`)
  await expect(page.locator('.code')).toBeVisible()
  await atEachWidth(async () => {
    const [text, panel] = await Promise.all(
      ['.code-area', '.code'].map((part) => page.locator(part).boundingBox()),
    )
    expect(text!.width).toBeLessThanOrEqual(panel!.width)
  })
})
