import { screen, waitFor } from '@testing-library/react'
import i18n from 'i18next'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { textFiles } from '@/i18n/files'
import { readToken, saveToken } from '@/lib/token'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { UserMenu } from './user-menu'

startServer(http.post('*/api/auth/logout/', () => new HttpResponse(null, { status: 204 })))

const ADDRESS = 'mara.lind@lindhof.example'

describe('who is signed in', () => {
  test.each([
    ['Mara Lind', 'ML'],
    ['Mara', 'M'],
    ['  mara   von  lind ', 'MV'],
    ['', 'ML'],
    ['🌷 Tulpe', '🌷T'],
    ['𝒜da', '𝒜'],
  ])('called %o has the initials %s', (displayName, initials) => {
    show(<UserMenu email={ADDRESS} displayName={displayName} />)
    const button = screen.getByRole('button', { name: `Your account: ${ADDRESS}` })
    expect(button.querySelector('[aria-hidden]')?.textContent).toBe(initials)
  })
})

async function open() {
  const shown = show(<UserMenu email={ADDRESS} displayName="Mara Lind" />, { at: '/topics' })
  await shown.user.click(screen.getByRole('button'))
  await screen.findByRole('menu')
  return shown
}

describe('the menu', () => {
  test('leads to the profile', async () => {
    const { user, address } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'Profile and security' }))
    expect(address()).toBe('/account?tab=profile')
  })

  test('changes the language, whose name is said in that language', async () => {
    await speak('en')
    const { user } = await open()
    const german = screen.getByRole('menuitem', { name: 'Deutsch' })
    expect(german).toHaveAttribute('lang', 'de')
    await user.click(german)
    await waitFor(() => expect(i18n.language).toBe('de'))
    await user.click(screen.getByRole('button', { name: /^Dein Konto/ }))
    expect(await screen.findByRole('menuitem', { name: 'English' })).toHaveAttribute('lang', 'en')
  })

  test('says where the other language could not be loaded', async () => {
    const failing = vi.spyOn(textFiles, 'load').mockRejectedValue(new Error('offline'))
    const { user } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'Deutsch' }))
    expect(await screen.findByText(/^The other language could not be loaded/)).toBeVisible()
    failing.mockRestore()
  })

  test('changes between light and dark, and offers the way back', async () => {
    const { user } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'Dark mode' }))
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'dark')
    await user.click(screen.getByRole('button', { name: /^Your account/ }))
    await user.click(await screen.findByRole('menuitem', { name: 'Light mode' }))
    expect(document.documentElement).toHaveAttribute('data-mantine-color-scheme', 'light')
  })

  test('logs out', async () => {
    saveToken('mine')
    const { user } = await open()
    await user.click(screen.getByRole('menuitem', { name: 'Log out' }))
    await waitFor(() => expect(readToken()).toBeNull())
  })
})
