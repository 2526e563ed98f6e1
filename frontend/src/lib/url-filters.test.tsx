import { act, renderHook } from '@testing-library/react'
import type { ReactNode } from 'react'
import { MemoryRouter, useLocation, useNavigationType } from 'react-router'
import { expect, test } from 'vitest'
import { useUrlFilters } from './url-filters'

function openAt(address: string) {
  const wrapper = ({ children }: { children: ReactNode }) => <MemoryRouter initialEntries={[address]}>{children}</MemoryRouter>
  const { result } = renderHook(() => ({ ...useUrlFilters(), ...useLocation(), navigation: useNavigationType() }), { wrapper })
  return { filters: () => result.current, change: (changes: Record<string, string | null>) => act(() => result.current.change(changes)) }
}

test('a filter is read from the address; one that is not there is empty', () => {
  const { filters } = openAt('/topics?search=cargo%20bikes&state=')
  expect(filters().filter('search')).toBe('cargo bikes')
  expect(filters().filter('state')).toBe('')
  expect(filters().filter('tag')).toBe('')
})

test('a change leaves the others alone', () => {
  const { filters, change } = openAt('/topics?search=cargo&tab=open')
  change({ search: 'bikes & trains' })
  expect(filters().filter('search')).toBe('bikes & trains')
  expect(filters().filter('tab')).toBe('open')
  expect(filters().pathname).toBe('/topics')
})

test.each([null, ''])('%o takes a filter out of the address', (nothing) => {
  const { filters, change } = openAt('/topics?search=cargo&tab=open')
  change({ search: nothing })
  expect(filters().search).toBe('?tab=open')
})

test('two changes in one moment are both there', () => {
  const { filters, change } = openAt('/topics')
  change({ search: 'cargo', cursor: null })
  change({ tag: 'tips' })
  expect(filters().search).toBe('?search=cargo&tag=tips')
})

test('what is typed leaves no trail for the back button', () => {
  const { filters, change } = openAt('/topics')
  change({ search: 'c' })
  expect(filters().navigation).toBe('REPLACE')
})
