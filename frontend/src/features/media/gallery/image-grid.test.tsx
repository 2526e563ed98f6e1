import { screen } from '@testing-library/react'
import { useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import type { MediaOut } from '@/api/types.gen'
import { anImage } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { ImageGrid } from './image-grid'

startServer()

const IMAGES = ['a', 'b', 'c', 'd', 'e'].map((id) => anImage({ id, name: id.toUpperCase() }))

function open(first: string[] = []) {
  const onDelete = vi.fn<(images: MediaOut[]) => void>()
  function Page() {
    const [images, setImages] = useState(IMAGES)
    const [selected, select] = useState<ReadonlySet<string>>(new Set(first))
    return (
      <ImageGrid
        images={images}
        openId=""
        selected={selected}
        onSelect={select}
        onDelete={(gone) => {
          onDelete(gone)
          setImages(images.filter((image) => !gone.includes(image)))
        }}
        linkTo={(id) => ({ to: `/media-gallery?image=${id}` })}
        first="Upload"
      />
    )
  }
  const shown = show(<Page />)
  const box = (name: string) => screen.getByRole('checkbox', { name: `Select ${name}` })
  const selected = () =>
    screen
      .getAllByRole<HTMLInputElement>('checkbox')
      .filter(({ checked }) => checked)
      .map((each) => each.getAttribute('aria-label')?.slice(-1))
      .join('')
  const tile = (name: string) => screen.getByRole('link', { name: new RegExp(`${name} ?Upload`) })
  return {
    ...shown,
    onDelete,
    box,
    selected,
    tile,
    deleted: () => onDelete.mock.calls.map(([images]) => images.map(({ id }) => id).join('')),
  }
}

describe('several images are selected', () => {
  test('from the one that was chosen last to the one that is clicked with Shift, in either direction', async () => {
    const { user, box, selected } = open()
    await user.click(box('D'))
    await user.keyboard('{Shift>}')
    await user.click(box('B'))
    await user.keyboard('{/Shift}')
    expect(selected()).toBe('BCD')
    await user.keyboard('{Shift>}')
    await user.click(box('E'))
    await user.keyboard('{/Shift}')
    expect(selected()).toBe('BCDE')
  })

  test('and taken out again in the same way', async () => {
    const { user, box, selected } = open(['a', 'b', 'c', 'd', 'e'])
    await user.click(box('B'))
    await user.keyboard('{Shift>}')
    await user.click(box('D'))
    await user.keyboard('{/Shift}')
    expect(selected()).toBe('AE')
  })

  test('by Space and Shift Space', async () => {
    const { user, tile, selected } = open()
    tile('A').focus()
    await user.keyboard(' {ArrowRight}{ArrowRight}{Shift>} {/Shift}')
    expect(selected()).toBe('ABC')
    await user.keyboard(' ')
    expect(selected()).toBe('AB')
  })

  test.each(['Control', 'Meta'])('all by %s A, and without it an A is nothing', async (key) => {
    const { user, tile, selected } = open()
    tile('C').focus()
    await user.keyboard('a')
    expect(selected()).toBe('')
    await user.keyboard(`{${key}>}a{/${key}}`)
    expect(selected()).toBe('ABCDE')
  })
})

describe('Delete', () => {
  test('on a selected image deletes all that are', async () => {
    const { user, tile, deleted } = open(['b', 'd'])
    tile('D').focus()
    await user.keyboard('{Delete}')
    expect(deleted()).toEqual(['bd'])
  })

  test('on another one deletes only that one, and the next has the focus', async () => {
    const { user, tile, deleted } = open(['b', 'd'])
    tile('C').focus()
    await user.keyboard('{Delete}')
    expect(deleted()).toEqual(['c'])
    expect(tile('D')).toHaveFocus()
  })

  test('on the last one leads to the one before', async () => {
    const { user, tile } = open()
    tile('E').focus()
    await user.keyboard('{Delete}')
    expect(tile('D')).toHaveFocus()
  })
})

test('one image can be reached by Tab, the one where the arrows were', async () => {
  const { user, tile, box } = open()
  await user.tab()
  expect(tile('A')).toHaveFocus()
  await user.keyboard('{ArrowRight}{ArrowRight}')
  expect(tile('C')).toHaveFocus()
  await user.tab()
  expect(box('C')).toHaveFocus()
  await user.tab({ shift: true })
  await user.tab({ shift: true })
  expect(document.body).toHaveFocus()
})

test('with Ctrl or Alt the arrows are the browser’s', async () => {
  const { user, tile } = open()
  tile('B').focus()
  await user.keyboard('{Alt>}{ArrowRight}{/Alt}{Control>}{End}{/Control}')
  expect(tile('B')).toHaveFocus()
})
