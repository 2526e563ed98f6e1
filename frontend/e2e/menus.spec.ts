import type { Page } from '@playwright/test'
import { expect, expectAccessibleInBothLooks, test } from './fixtures'

interface Opening {
  name: string
  path: string
  open: (page: Page) => Promise<void>
  role: 'menu' | 'dialog'
}

/** No action: its URL opens it. */
const here = () => Promise.resolve()
const press = (name: string | RegExp, exact = true) => (page: Page) => page.getByRole('button', { name, exact }).first().click()
const menuItem = (button: string | RegExp, item: string | RegExp) => async (page: Page) => {
  await press(button)(page)
  await page.getByRole('menuitem', { name: item }).click()
}

/** All menus and dialogs that open without other steps before. */
const openings = (tree: string): Opening[] => [
  { name: 'user menu', path: '/', open: press(/^Your account:/, false), role: 'menu' },
  { name: 'command menu', path: '/', open: (page) => page.keyboard.press('ControlOrMeta+k'), role: 'dialog' },
  {
    name: 'command menu without a match',
    path: '/',
    open: async (page) => {
      await page.keyboard.press('ControlOrMeta+k')
      await page.keyboard.type('nothing is called so')
    },
    role: 'dialog',
  },
  { name: 'import and export of templates', path: '/templates', open: press('Import and export'), role: 'menu' },
  { name: 'actions of a template', path: '/templates', open: press('Actions for Practical tip'), role: 'menu' },
  { name: 'publishing a template', path: '/templates', open: menuItem('Actions for Practical tip', /Publish/), role: 'dialog' },
  { name: 'deleting a template', path: '/templates', open: menuItem('Actions for Practical tip', /Delete/), role: 'dialog' },
  { name: 'a new tree', path: '/topics?new', open: here, role: 'dialog' },
  { name: 'an import of topics', path: '/topics?import', open: here, role: 'dialog' },
  { name: 'actions of a tree', path: `/topics?tree=${tree}`, open: press('More'), role: 'menu' },
  { name: 'export of a tree', path: `/topics?tree=${tree}`, open: press('Export'), role: 'menu' },
  { name: 'name of a tree', path: `/topics?tree=${tree}`, open: menuItem('More', 'Name and description'), role: 'dialog' },
  {
    name: 'actions of a topic',
    path: `/topics?tree=${tree}`,
    open: async (page) => {
      await page.getByRole('tree').press('ArrowDown')
      await page.getByRole('tree').press('Shift+F10')
    },
    role: 'menu',
  },
  { name: 'help with the keys of a tree', path: `/topics?tree=${tree}`, open: (page) => page.getByRole('tree').press('?'), role: 'dialog' },
  { name: 'a new invitation', path: '/invitations?new', open: here, role: 'dialog' },
  { name: 'another email', path: '/account?tab=profile', open: press('Change email'), role: 'dialog' },
  { name: 'deletion of the account', path: '/account?tab=data', open: press('Delete account'), role: 'dialog' },
  { name: 'two-step login', path: '/account?tab=security', open: press('Set up two-step login'), role: 'dialog' },
  { name: 'a new API key', path: '/account?tab=api-keys&new', open: here, role: 'dialog' },
  { name: 'saved looks of cards', path: '/media-gallery?designer=new', open: press('Looks'), role: 'menu' },
]

test('everybody can use menus and dialogs', async ({ page, api }) => {
  test.setTimeout(240_000)
  const template = { type: 'text', name: 'Practical tip', language: 'en', body: 'About ((Topic)).' }
  await api('post', '/templates/', template)
  const { id } = (await api('post', '/topics/', { name: 'Rain', text: '- Rain\n-- Mudguards\n-- Lights' })) as { id: string }
  for (const { name, path, open, role } of openings(id))
    await test.step(name, async () => {
      await page.goto(path)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await open(page)
      await expect(page.getByRole(role).first()).toBeVisible()
      await expectAccessibleInBothLooks(page, 'en', `[role=${role}]`)
    })
})

test('the command menu, closed as soon as it is there, gives the focus back', async ({ person, page }) => {
  expect(person.token).toBeTruthy()
  await page.goto('/assistants')
  const link = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Calendar' })
  await link.focus()
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox', { name: 'Search everything' }).waitFor()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('combobox', { name: 'Search everything' })).toBeHidden()
  await expect(link).toBeFocused()
})
