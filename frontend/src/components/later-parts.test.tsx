import { ActionIcon, Button } from '@mantine/core'
import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { Hint } from './hint'
import { bringAhead, pagePart } from './page-part'

startServer()

let ready: () => void
// the page stands when the test says so
vi.mock('@/lib/idle', () => ({ idle: () => new Promise<void>((resolve) => (ready = resolve)) }))

let LaterMenu: typeof import('./later-menu').LaterMenu
let LaterSelect: typeof import('./later-select').LaterSelect
let LaterNumberInput: typeof import('./later-number-input').LaterNumberInput
let LaterTagsInput: typeof import('./later-tags-input').LaterTagsInput

beforeEach(async () => {
  // as on a page that has just come: nothing of them is loaded
  vi.resetModules()
  LaterMenu = (await import('./later-menu')).LaterMenu
  LaterSelect = (await import('./later-select')).LaterSelect
  LaterNumberInput = (await import('./later-number-input')).LaterNumberInput
  LaterTagsInput = (await import('./later-tags-input')).LaterTagsInput
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

describe('a field for tags', () => {
  const open = () => {
    const onChange = vi.fn()
    const shown = show(<LaterTagsInput data-path="tags" label="Tags" value={['rain', 'tips']} data={['rush hour']} onChange={onChange} />)
    return { ...shown, onChange, field: () => screen.getByRole('combobox', { name: 'Tags' }) }
  }
  const box = () => screen.getByText('rain').closest('.mantine-TagsInput-input')

  test('shows its tags from the first moment, and looks the same once it is there', async () => {
    const { field } = open()
    const before = field()
    const classes = box()?.className
    expect(classes).toBeTruthy()
    ready()
    await vi.waitFor(() => expect(field()).not.toBe(before))
    expect(box()?.className).toBe(classes)
    expect(screen.getByText('tips')).toBeVisible()
    expect(field().className).toBe(before.className)
    expect(field().dataset.path).toBe('tags')
    expect(before.dataset.path).toBe('tags')
    expect(field()).not.toHaveFocus()
  })

  test('that has the focus before it is loaded keeps it, and takes what is typed', async () => {
    const { user, field, onChange } = open()
    const before = field()
    await user.click(before)
    await vi.waitFor(() => expect(field()).not.toBe(before))
    expect(field()).toHaveFocus()
    await user.keyboard('cargo{Enter}')
    expect(onChange).toHaveBeenCalledWith(['rain', 'tips', 'cargo'])
  })
})

describe('a field for a number', () => {
  const open = () => {
    const onChange = vi.fn()
    const shown = show(
      <LaterNumberInput
        data-path="longest"
        label="Longest"
        suffix=" characters"
        thousandSeparator="."
        decimalSeparator=","
        value={1250.5}
        onChange={onChange}
      />,
    )
    return { ...shown, onChange, field: () => screen.getByRole('textbox', { name: 'Longest' }) }
  }

  test('shows its number from the first moment as it does once it is there', async () => {
    const { field } = open()
    const before = field()
    expect(before).toHaveValue('1.250,5 characters')
    expect(before.dataset.path).toBe('longest')
    ready()
    await vi.waitFor(() => expect(field()).not.toBe(before))
    expect(field()).toHaveValue('1.250,5 characters')
    expect(field().className).toBe(before.className)
    expect(field().dataset.path).toBe('longest')
    expect(field()).not.toHaveFocus()
  })

  test('that has the focus before it is loaded keeps it, and takes what is typed', async () => {
    const { user, field, onChange } = open()
    const before = field()
    await user.tab()
    await vi.waitFor(() => expect(field()).not.toBe(before))
    expect(field()).toHaveFocus()
    await user.clear(field())
    await user.keyboard('7')
    expect(onChange).toHaveBeenLastCalledWith(7)
  })

  test.each(['{ArrowUp}', '{ArrowDown}'])('that is empty goes by %s to what it says is usual, not to 0', async (key) => {
    ready()
    const onChange = vi.fn()
    const { user } = show(<LaterNumberInput label="Minutes" placeholder="60" min={0} max={600} value="" onChange={onChange} />)
    await user.tab()
    await vi.waitFor(() => expect(screen.getByRole('textbox', { name: 'Minutes' })).not.toHaveAttribute('readonly'))
    await user.keyboard(key)
    expect(onChange).toHaveBeenLastCalledWith(60)
  })
})

describe('a hint', () => {
  test('that comes leaves the focus where it is, and says what it has to say', async () => {
    const { user } = show(
      <Hint label="No more than a year ahead">
        <Button>Move</Button>
      </Hint>,
    )
    const button = () => screen.getByRole('button', { name: 'Move' })
    const before = button()
    await user.tab()
    expect(before).toHaveFocus()
    ready()
    await vi.waitFor(() => expect(button()).not.toBe(before))
    expect(button()).toHaveFocus()
    await user.hover(button())
    expect(await screen.findByRole('tooltip')).toHaveTextContent('No more than a year ahead')
  })
})

describe('a part of a page', () => {
  test('has something in its place until it is there', async () => {
    let arrive: (part: () => string) => void = () => undefined
    const Part = pagePart(() => new Promise<() => string>((resolve) => (arrive = resolve)), 'On its way')
    show(<Part />)
    expect(await screen.findByText('On its way')).toBeVisible()
    arrive(() => 'Here')
    expect(await screen.findByText('Here')).toBeVisible()
  })

  test('that was brought ahead is drawn in the moment in which it is shown', async () => {
    const load = vi.fn(() => Promise.resolve(() => 'Here'))
    const Part = pagePart(load, 'On its way')
    bringAhead(Part)()
    expect(load).not.toHaveBeenCalled()
    ready()
    await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
    show(<Part />)
    expect(screen.getByText('Here')).toBeVisible()
    expect(load).toHaveBeenCalledOnce()
  })

  test('that did not come ahead is asked for again when it is shown', async () => {
    const load = vi.fn(() => Promise.resolve(() => 'Here'))
    load.mockRejectedValueOnce(new Error('away'))
    const Part = pagePart(load)
    bringAhead(Part)()
    ready()
    await vi.waitFor(() => expect(load).toHaveBeenCalledOnce())
    show(<Part />)
    expect(await screen.findByText('Here')).toBeVisible()
  })
})
