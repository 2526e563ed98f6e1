import { screen, within } from '@testing-library/react'
import { beforeAll, expect, test, vi } from 'vitest'
import { aDelivery, aPost } from '@/test/made'
import { show, speak } from '@/test/screen'
import { startAllTexts } from '@/test/texts'
import { DeleteDialog } from './delete-dialog'

beforeAll(startAllTexts)

const article = aPost({
  is_article: true,
  deliveries: [aDelivery({ channel: 'wordpress', account_name: 'Lindhof Journal', state: 'published', removable: 'yes' })],
})

test.each([
  ['en', 'Delete this article?', 'Delete on Lindhof Journal too', 'Delete here and on Lindhof Journal', /post|network|account/i],
  ['de', 'Diesen Artikel löschen?', 'Auch auf Lindhof Journal löschen', 'Hier und auf Lindhof Journal löschen', /Beitrag|Netzwerk|Konto/],
] as const)('of an article speaks of it and of its website: %s', async (language, title, there, both, others) => {
  await speak(language)
  const { user } = show(<DeleteDialog opened posts={[article]} pending={false} onClose={vi.fn()} onDelete={vi.fn()} />)
  const dialog = await screen.findByRole('dialog', { name: title })
  await user.click(within(dialog).getByRole('checkbox', { name: there }))
  expect(within(dialog).getByRole('button', { name: both })).toBeVisible()
  expect(dialog.textContent).not.toMatch(others)
})

test.each([
  ['en', 1, 'The post is deleted only here and stays on the networks.', 'Delete the post there manually.'],
  ['en', 2, 'The posts are deleted only here and stay on the networks.', 'Delete the posts there manually.'],
  ['de', 1, 'in den Netzwerken bleibt er.', 'Lösche ihn dort von Hand.'],
  ['de', 2, 'in den Netzwerken bleiben sie.', 'Lösche sie dort von Hand.'],
] as const)('speaks of as many posts as there are: %s, %s', async (language, count, onlyHere, byHand) => {
  await speak(language)
  const posts = Array.from({ length: count }, (_, index) =>
    aPost({ id: `post ${index}`, deliveries: [aDelivery({ id: `delivery ${index}`, channel: 'instagram', state: 'published', removable: 'not_by_api' })] }),
  )
  show(<DeleteDialog opened posts={posts} pending={false} onClose={vi.fn()} onDelete={vi.fn()} />)
  const dialog = await screen.findByRole('dialog')
  expect(within(dialog).getByRole('status')).toHaveTextContent(onlyHere)
  expect(dialog).toHaveTextContent(byHand)
})
