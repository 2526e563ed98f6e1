import { ActionIcon } from '@mantine/core'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'

startServer()

let ready: () => void
// the page stands when the test says so
vi.mock('@/lib/idle', () => ({ idle: () => new Promise<void>((resolve) => (ready = resolve)) }))

let LaterMenu: typeof import('./later-menu').LaterMenu
let LaterSelect: typeof import('./later-select').LaterSelect

beforeEach(async () => {
  // as on a page that has just come: nothing of them is loaded
  vi.resetModules()
  LaterMenu = (await import('./later-menu')).LaterMenu
  LaterSelect = (await import('./later-select')).LaterSelect
})

describe('a menu', () => {
  const open = () => {
    const onChoose = vi.fn()
    const shown = show(
      <LaterMenu target={<ActionIcon aria-label="More" />}>
        {(Menu) => <Menu.Item onClick={onChoose}>Delete</Menu.Item>}
      </LaterMenu>,
    )
    return { ...shown, onChoose, button: () => screen.getByRole('button', { name: 'More' }) }
  }

  test('that is pressed before it is loaded opens as soon as it is there', async () => {
    const { user, onChoose, button } = open()
    expect(button()).toHaveAttribute('aria-haspopup', 'menu')
    expect(button()).toHaveAttribute('aria-expanded', 'false')
    await user.click(button())
    await user.click(await screen.findByRole('menuitem', { name: 'Delete' }))
    expect(onChoose).toHaveBeenCalledOnce()
  })

  test('that is opened by a key gives the focus back when it closes', async () => {
    const { user, button } = open()
    await user.tab()
    expect(button()).toHaveFocus()
    await user.keyboard('{Enter}')
    await vi.waitFor(() => expect(screen.getByRole('menuitem', { name: 'Delete' })).toHaveFocus())
    await user.keyboard('{Escape}')
    await vi.waitFor(() => expect(button()).toHaveFocus())
    expect(button()).toHaveAttribute('aria-expanded', 'false')
  })
})

describe('a list to choose from', () => {
  const open = (more: { clearable?: boolean; searchable?: boolean } = {}) => {
    const onChange = vi.fn()
    const data = [
      { value: 'en', label: 'English' },
      { value: 'de', label: 'Deutsch' },
    ]
    const clear = { clearButtonProps: { 'aria-label': 'Clear', 'aria-hidden': false } }
    const shown = show(<LaterSelect label="Language" data={data} value="de" onChange={onChange} {...clear} {...more} />)
    return { ...shown, onChange, field: () => screen.getByRole('combobox', { name: 'Language' }) }
  }

  test('says from the first moment what is chosen, and looks the same once it is there', async () => {
    const { field } = open()
    const before = field()
    expect(before).toHaveValue('Deutsch')
    expect(before).toHaveAttribute('aria-expanded', 'false')
    ready()
    await vi.waitFor(() => expect(field()).not.toBe(before))
    expect(field()).toHaveValue('Deutsch')
    expect(field().className).toBe(before.className)
    expect(field()).not.toHaveFocus()
  })

  test('that is pressed before it is loaded opens as soon as it is there', async () => {
    const { user, onChange, field } = open()
    await user.click(field())
    await user.click(await screen.findByRole('option', { name: 'English' }))
    expect(onChange).toHaveBeenCalledWith('en', expect.anything())
    expect(field()).toHaveFocus()
  })

  test('that has the focus before it is loaded keeps it, and is opened by keys', async () => {
    const { user, field } = open({ searchable: true })
    const before = field()
    await user.tab()
    await vi.waitFor(() => expect(field()).not.toBe(before))
    expect(field()).toHaveFocus()
    await user.keyboard('{ArrowDown}')
    expect(await screen.findByRole('option', { name: 'English' })).toBeVisible()
  })

  test('can be cleared before it is loaded', async () => {
    const { user, onChange } = open({ clearable: true })
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(onChange).toHaveBeenCalledWith(null, null)
  })
})
