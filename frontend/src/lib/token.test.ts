import { act, renderHook } from '@testing-library/react'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { storageKeys } from './storage-keys'
import { readToken, removeToken, saveToken, sessionName, useToken, watchToken } from './token'

beforeEach(() => removeToken())

/** Dispatch the storage event of a change in another tab. */
function inAnotherTab(change: () => void, key: string | null = storageKeys.token) {
  change()
  window.dispatchEvent(new StorageEvent('storage', { key }))
}

/** Put the page into the back/forward cache and restore it. */
function leaveAndComeBack(meanwhile: () => void, persisted = true) {
  window.dispatchEvent(new PageTransitionEvent('pagehide', { persisted }))
  meanwhile()
  window.dispatchEvent(new PageTransitionEvent('pageshow', { persisted }))
}

describe('the name of a session', () => {
  test('tells little of the token', () => {
    expect(sessionName('a-long-secret-0123456789')).toBe('23456789')
  })

  test('is none where nobody is signed in', () => {
    expect(sessionName()).toBeUndefined()
    expect(sessionName(null)).toBeUndefined()
  })

  test('is that of the stored token', () => {
    saveToken('secret-of-mara-1')
    expect(sessionName()).toBe(sessionName('secret-of-mara-1'))
  })
})

describe('who is signed in', () => {
  test('is known at once in this tab', () => {
    const { result } = renderHook(useToken)
    expect(result.current).toBeNull()
    act(() => saveToken('mine'))
    expect(result.current).toBe('mine')
    act(() => removeToken())
    expect(result.current).toBeNull()
  })

  test('is known when another tab signs in or out', () => {
    const { result } = renderHook(useToken)
    act(() => inAnotherTab(() => localStorage.setItem(storageKeys.token, 'theirs')))
    expect(result.current).toBe('theirs')
    act(() => inAnotherTab(() => localStorage.removeItem(storageKeys.token)))
    expect(result.current).toBeNull()
  })

  test('is nobody once all of the storage was cleared', () => {
    saveToken('mine')
    const { result } = renderHook(useToken)
    act(() => inAnotherTab(() => localStorage.clear(), null))
    expect(result.current).toBeNull()
  })

  test('is told to all who look', () => {
    const [first, second] = [renderHook(useToken), renderHook(useToken)]
    act(() => saveToken('mine'))
    first.unmount()
    act(() => saveToken('newer'))
    expect(second.result.current).toBe('newer')
    expect(first.result.current).toBe('mine')
  })
})

describe('watching', () => {
  test('other entries of the storage are nobody’s session', () => {
    const changed = vi.fn()
    const stop = watchToken(changed)
    inAnotherTab(() => localStorage.setItem(storageKeys.language, 'de'), storageKeys.language)
    expect(changed).not.toHaveBeenCalled()
    stop()
  })

  test('a page that comes back by the back button notices who is there now', () => {
    saveToken('mine')
    const changed = vi.fn()
    const stop = watchToken(changed)
    leaveAndComeBack(() => localStorage.setItem(storageKeys.token, 'theirs'))
    expect(changed).toHaveBeenCalledOnce()
    expect(readToken()).toBe('theirs')
    stop()
  })

  test('a page that comes back to the same session changes nothing', () => {
    saveToken('mine')
    const changed = vi.fn()
    const stop = watchToken(changed)
    leaveAndComeBack(() => {})
    expect(changed).not.toHaveBeenCalled()
    stop()
  })

  test('a page that is loaded afresh reads the token by itself', () => {
    const changed = vi.fn()
    const stop = watchToken(changed)
    leaveAndComeBack(() => localStorage.setItem(storageKeys.token, 'theirs'), false)
    expect(changed).not.toHaveBeenCalled()
    stop()
  })

  test('a sign-in in this tab before the page was put aside is no change', () => {
    const changed = vi.fn()
    const stop = watchToken(changed)
    saveToken('mine')
    leaveAndComeBack(() => {})
    expect(changed).not.toHaveBeenCalled()
    stop()
  })

  test('who stopped hears no more', () => {
    const changed = vi.fn()
    watchToken(changed)()
    inAnotherTab(() => localStorage.setItem(storageKeys.token, 'theirs'))
    leaveAndComeBack(() => localStorage.removeItem(storageKeys.token))
    expect(changed).not.toHaveBeenCalled()
  })
})
