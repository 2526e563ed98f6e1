import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import { expect, test, vi } from 'vitest'
import { useMutateOnce } from './one-at-a-time'

function Sender({ call }: { call: () => Promise<string> }) {
  const sending = useMutation<string, Error>({ mutationFn: call })
  const send = useMutateOnce(sending)
  return (
    <>
      <button type="button" onClick={() => send()}>
        Send
      </button>
      <p role="status">{sending.error?.message ?? sending.data}</p>
    </>
  )
}

function show(call: () => Promise<string>) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Sender call={call} />
    </QueryClientProvider>,
  )
  return screen.getByRole('button')
}

test('two clicks in one moment make one call; the next one makes another', async () => {
  const call = vi.fn(() => Promise.resolve('done'))
  const button = show(call)
  fireEvent.click(button)
  fireEvent.click(button)
  await screen.findByText('done')
  expect(call).toHaveBeenCalledTimes(1)
  fireEvent.click(button)
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2))
})

test('a failure is in the mutation, and it can be tried again', async () => {
  const call = vi.fn(() => Promise.reject<string>(new Error('away')))
  const button = show(call)
  fireEvent.click(button)
  await screen.findByText('away')
  fireEvent.click(button)
  await vi.waitFor(() => expect(call).toHaveBeenCalledTimes(2))
})
