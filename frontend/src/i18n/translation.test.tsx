import { act, screen } from '@testing-library/react'
import { Trans, useTranslation } from 'react-i18next'
import { expect, test } from 'vitest'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'

startServer()

function Sentence() {
  const { t } = useTranslation(['common', 'session'])
  return (
    <p>
      <Trans t={t} i18nKey="session:forgotSent" values={{ email: '<b>a</b>@b.example' }} components={{ address: <em /> }} />
    </p>
  )
}

test('a text with tags has its words in their elements, and a value with tags is only words', async () => {
  show(<Sentence />)
  const shown = screen.getByText(/belongs to/)
  expect(shown.querySelector('em')).toHaveTextContent('<b>a</b>@b.example')
  expect(shown.querySelector('b')).toBeNull()
  expect(shown).toHaveTextContent(/^If <b>a<\/b>@b.example belongs to an account here, you will get an email/)
  await act(() => speak('de'))
  expect(shown).toHaveTextContent(/^Wenn <b>a<\/b>@b.example hier/)
})
