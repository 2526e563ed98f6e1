import { useForm } from '@mantine/form'
import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import { anImage } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { asFile, empty, type Values } from './composer-values'
import type { ComposerForm } from './use-composer'
import { usePostImages, type ImagesProps } from './use-post-images'

startServer(http.get('*/api/media/:id/', ({ params }) => HttpResponse.json({ ...anImage({ id: String(params.id) }), uses: [] })))

const NO_FILES: never[] = []

const field = ({ value, onChange, onAdd }: ImagesProps) => (
  <>
    <output>{value.join(' ')}</output>
    {value.map((id) => (
      <button key={id} onClick={() => onChange(value.filter((other) => other !== id))}>{`Remove ${id}`}</button>
    ))}
    <button onClick={() => onAdd('new')}>Add</button>
  </>
)

function Files({ ids }: { ids: readonly string[] }) {
  const form: ComposerForm = useForm<Values>({ initialValues: { ...empty('UTC', 'en'), files: ids.map((id) => asFile(id)) } })
  return usePostImages(form, NO_FILES, field).imageField
}

function open(ids: readonly string[]) {
  const view = show(<Files ids={ids} />, { at: '/composer', path: '/composer' })
  const press = (name: string) => view.user.click(screen.getByRole('button', { name }))
  /** Press the offers to undo, of which 0 is the oldest. */
  const undo = async (index: number) => {
    const button = (await screen.findAllByRole('button', { name: 'Undo' }))[index] as HTMLElement
    await view.user.click(button)
    await waitFor(() => expect(button).not.toBeInTheDocument())
  }
  return { ...view, press, undo }
}
const shown = () => screen.getByRole('status').textContent

test.each([
  ['a b', [0, 0]],
  ['a b', [1, 0]],
  ['b c', [0, 0]],
  ['c b', [0, 0]],
])('the files %s are removed and come back to their places, in the order %s', async (removed, undone) => {
  const { press, undo } = open(['a', 'b', 'c'])
  for (const id of removed.split(' ')) await press(`Remove ${id}`)
  for (const index of undone) await undo(index)
  expect(shown()).toBe('a b c')
})

test('a file for which there is no room any more stays removed, and a message says so', async () => {
  const ids = Array.from({ length: 20 }, (_, index) => `f${index}`)
  const { press, undo } = open(ids)
  await press('Remove f0')
  await press('Add')
  await undo(0)
  expect(await screen.findByText('The file was not brought back. A post can have at most 20 files.')).toBeVisible()
  expect(shown()).toBe([...ids.slice(1), 'new'].join(' '))
})

test('leaving the page ends the offer', async () => {
  const { press, router } = open(['a'])
  await press('Remove a')
  expect(await screen.findByRole('button', { name: 'Undo' })).toBeVisible()
  await act(() => router.navigate('/elsewhere'))
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull())
})
