import i18n from 'i18next'
import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { storageKeys } from '@/lib/storage-keys'
import { changeLanguage, startI18n } from '.'
import { textFiles } from './files'

beforeEach(() => localStorage.clear())
afterAll(async () => {
  localStorage.clear()
  await startI18n()
})

test.each([
  [null, 'de-AT', 'de'],
  [null, 'fr', 'en'],
  ['de', 'en-GB', 'de'],
  ['fr', 'en-GB', 'en'],
])('with %s stored and a browser in %s it begins in %s, and remembers that', async (stored, browser, language) => {
  if (stored) localStorage.setItem(storageKeys.language, stored)
  const asked = vi.spyOn(navigator, 'languages', 'get').mockReturnValue([browser])
  onTestFinished(() => asked.mockRestore())
  await startI18n()
  expect(i18n.language).toBe(language)
  expect([document.documentElement.lang, localStorage.getItem('i18nextLng')]).toEqual([language, language])
  expect(Object.keys(i18n.store.data)).toEqual([language]) // nobody loads a second language
})

test('a page loads the namespace that it asks for, and has it in the language that is chosen later', async () => {
  await startI18n()
  await i18n.loadNamespaces('legal')
  const title = () => i18n.t('privacy.title' as 'close', { ns: 'legal' as 'common' })
  expect(title()).toBe('Privacy policy')
  await changeLanguage('de')
  expect(title()).toBe('Datenschutzerklärung')
})

test('a language that cannot be loaded is told and not spoken, and the next try brings it', async () => {
  await startI18n()
  await changeLanguage('en')
  const failing = vi.spyOn(textFiles, 'load').mockRejectedValue(new Error('offline'))
  await expect(changeLanguage('de')).rejects.toThrow('could not be loaded')
  expect([i18n.language, i18n.t('cancel')]).toEqual(['en', 'Cancel'])
  failing.mockRestore()
  await changeLanguage('de')
  expect(i18n.t('cancel')).toBe('Abbrechen')
})
