import { screen } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'

startServer()

let ready: () => void
// the page stands when the test says so
vi.mock('@/lib/idle', () => ({ idle: () => new Promise<void>((resolve) => (ready = resolve)) }))

let bringAhead: typeof import('./page-part').bringAhead
let pagePart: typeof import('./page-part').pagePart

beforeEach(async () => {
  // other files may have loaded it with the real `idle`
  vi.resetModules()
  ;({ bringAhead, pagePart } = await import('./page-part'))
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
