import { TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { Link } from 'react-router'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Problem } from '@/lib/problems'
import { show, speak } from '@/test/screen'
import { startServer } from '@/test/server'
import { useConfirm } from './confirm'
import { CopyField } from './copy-field'
import { FormErrors } from './form-errors'
import { NewerBanner } from './newer-banner'
import { PasswordField } from './password-field'
import { SaveBar } from './save-bar'
import { SearchField } from './search-field'
import { showUndo } from './undo'
import { useFormProblem } from './use-form-problem'
import { useDraftNotice } from './use-draft-notice'
import { useProblemText } from './use-problem-text'

startServer()

afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

const problem = (change: Partial<Problem> = {}): Problem => ({ status: 422, code: 'invalid_input', detail: '', params: {}, errors: [], ...change })

describe('why a call of a form failed', () => {
  function Form({ refused }: { refused: Problem }) {
    const form = useForm({ mode: 'uncontrolled', initialValues: { email: '', password: '' } })
    const { message, show: tell, clear } = useFormProblem(form, { password_wrong: 'password' })
    return (
      <>
        <FormErrors message={message} />
        <TextInput label="Email" key={form.key('email')} {...form.getInputProps('email')} />
        <TextInput label="Password" key={form.key('password')} {...form.getInputProps('password')} />
        <button type="button" onClick={() => tell(refused)}>
          Send
        </button>
        <button type="button" onClick={clear}>
          Clear
        </button>
      </>
    )
  }
  async function refuseWith(refused: Problem) {
    const shown = show(<Form refused={refused} />)
    await shown.user.click(screen.getByRole('button', { name: 'Send' }))
    return shown
  }

  test('is told at the fields that the server names, and the first of them has the focus', async () => {
    await refuseWith(
      problem({
        errors: [
          { field: 'password', code: 'password_common', params: {} },
          { field: 'email', code: 'invalid_email', params: {} },
        ],
      }),
    )
    expect(screen.getByLabelText('Email')).toHaveFocus()
    expect(screen.getByLabelText('Password')).toBeInvalid()
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('is told at the field that its code is about', async () => {
    await refuseWith(problem({ code: 'password_wrong' }))
    expect(screen.getByLabelText('Password')).toHaveFocus()
    expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(/not your current password/)
  })

  test('is told over the form where no field of it is meant', async () => {
    await refuseWith(problem({ code: 'internal', errors: [{ field: 'elsewhere', code: 'internal', params: {} }] }))
    expect(screen.getByRole('alert')).toHaveTextContent('An error occurred.')
  })

  test('is over with the next try', async () => {
    const { user } = await refuseWith(problem({ code: 'internal' }))
    await user.click(screen.getByRole('button', { name: 'Clear' }))
    expect(screen.queryByRole('alert')).toBeNull()
  })
})

describe('the errors over a form', () => {
  test('list the fields only where there are more than two', () => {
    show(<FormErrors fields={{ a: 'First', b: 'Second', c: null }} />)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('count them', () => {
    show(<FormErrors fields={{ a: 'First', b: 'Second', c: 'Third' }} />)
    expect(screen.getByRole('alert')).toHaveTextContent('Check the 3 marked fields')
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual(['First', 'Second', 'Third'])
  })

  test('say what failed as a whole, and more of it', () => {
    show(<FormErrors message="Not saved." more="Your changes are still here." fields={{ a: 'First' }} />)
    expect(screen.getByRole('alert')).toHaveTextContent('Not saved.Your changes are still here.')
    expect(screen.queryByRole('list')).toBeNull()
  })
})

describe('a sentence for a refusal', () => {
  function Sentence({ of }: { of: Problem }) {
    return <p>{useProblemText()(of)}</p>
  }

  test.each([
    [{ code: 'rate_limited', params: { retry_after: 75 } }, 'Too many attempts in a short time. You can try again in 1 min 15 sec'],
    [{ code: 'internal', params: { retry_after: 75 } }, 'An error occurred.'],
  ] as const)('of %o says how long to wait where that is known', (change, text) => {
    show(<Sentence of={problem(change)} />)
    expect(screen.getByText(new RegExp(text))).toBeVisible()
  })

  test('is German in German', async () => {
    await speak('de')
    show(<Sentence of={problem({ code: 'rate_limited', params: { retry_after: 3_600 } })} />)
    expect(screen.getByText(/1 Std\./)).toBeVisible()
  })
})

describe('the bar that saves', () => {
  const bar = (props: Partial<Parameters<typeof SaveBar>[0]> = {}) => {
    const onDiscard = vi.fn()
    const shown = show(<SaveBar changes={1} saving={false} onDiscard={onDiscard} {...props} />)
    return { ...shown, onDiscard }
  }

  test('is there only when something differs', () => {
    bar({ changes: 0 })
    expect(screen.queryByRole('button')).toBeNull()
  })

  test('of a new one is there at once, with nothing to discard', () => {
    bar({ changes: 0, isNew: true })
    expect(screen.getByRole('status')).toHaveTextContent('Not saved yet')
    expect(screen.queryByRole('button', { name: 'Discard' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
  })

  describe('that comes up over the page', () => {
    function Form() {
      const [changes, setChanges] = useState(0)
      return (
        <form>
          <input aria-label="Longest text" onChange={() => setChanges(1)} />
          <SaveBar changes={changes} saving={false} onDiscard={vi.fn()} />
        </form>
      )
    }

    test.each([
      ['leaves the field in sight that was typed in', 34, 1],
      ['does not move an editor under whoever types in it', 600, 0],
    ])('%s', async (_, height, times) => {
      const intoView = vi.spyOn(Element.prototype, 'scrollIntoView')
      const { user } = show(<Form />)
      const field = screen.getByLabelText('Longest text')
      vi.spyOn(field, 'clientHeight', 'get').mockReturnValue(height)
      await user.type(field, '300')
      expect(intoView).toHaveBeenCalledTimes(times)
      if (times) expect(intoView.mock.contexts).toEqual([field])
    })
  })

  test('discards nothing while it saves', async () => {
    const { user, onDiscard } = bar({ changes: 2, saving: true })
    expect(screen.getByRole('status')).toHaveTextContent('2 unsaved changes')
    await user.click(screen.getByRole('button', { name: 'Discard' }))
    expect(onDiscard).not.toHaveBeenCalled()
  })

  test('has another way to save beside the plain one', async () => {
    const onSave = vi.fn()
    const { user } = bar({ saveLabel: 'Save assistant', more: { label: 'Save and activate', onSave } })
    await user.click(screen.getByRole('button', { name: 'Save and activate' }))
    expect(onSave).toHaveBeenCalledOnce()
    expect(screen.getByRole('button', { name: 'Save assistant' })).toHaveAttribute('type', 'submit')
  })
})

describe('a search', () => {
  function Search({ onSearch }: { onSearch: (text: string) => void }) {
    const [value, setValue] = useState('')
    return (
      <>
        <SearchField label="Search" value={value} onSearch={onSearch} />
        <button type="button" onClick={() => setValue((before) => (before ? '' : 'rain'))}>
          From outside
        </button>
      </>
    )
  }

  test('begins when the typing rests, without the spaces around it', async () => {
    const onSearch = vi.fn()
    const { user } = show(<Search onSearch={onSearch} />)
    await user.type(screen.getByRole('searchbox', { name: 'Search' }), ' cargo bikes ')
    expect(onSearch).not.toHaveBeenCalled()
    await waitFor(() => expect(onSearch).toHaveBeenCalledWith('cargo bikes'))
    expect(onSearch).toHaveBeenCalledTimes(1)
    expect(screen.getByRole('searchbox')).toHaveValue(' cargo bikes ')
  })

  test('follows what changes it from outside', async () => {
    const { user } = show(<Search onSearch={() => {}} />)
    await user.click(screen.getByRole('button'))
    expect(screen.getByRole('searchbox')).toHaveValue('rain')
    await user.click(screen.getByRole('button'))
    expect(screen.getByRole('searchbox')).toHaveValue('')
  })
})

describe('something to take away', () => {
  const clipboard = (writeText?: () => Promise<void>) =>
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: writeText && { writeText } })

  test('is copied, and says so for a moment', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const { user } = show(<CopyField label="Key" value="pl_0123" />)
    const writeText = vi.fn(() => Promise.resolve())
    clipboard(writeText)
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
    expect(writeText).toHaveBeenCalledWith('pl_0123')
    expect(screen.getByRole('status')).toHaveTextContent('Copied')
    act(() => void vi.advanceTimersByTime(3_100))
    expect(await screen.findByRole('button', { name: 'Copy' })).toBeVisible()
  })

  test.each([
    ['there is no clipboard', undefined],
    ['the browser refuses', () => Promise.reject(new Error('denied'))],
  ])('is marked to be copied by hand where %s', async (_, writeText) => {
    document.execCommand = vi.fn(() => false)
    const { user } = show(<CopyField label="Key" value="pl_0123" />)
    clipboard(writeText)
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByText(/^The text is selected\. Copy it with/)).toBeVisible()
    const field = screen.getByLabelText<HTMLInputElement>('Key')
    expect(field).toHaveFocus()
    expect([field.selectionStart, field.selectionEnd]).toEqual([0, 7])
  })

  test('is copied in the old way where that still works', async () => {
    document.execCommand = vi.fn(() => true)
    const { user } = show(<CopyField label="Key" value="pl_0123" />)
    clipboard()
    await user.click(screen.getByRole('button', { name: 'Copy' }))
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeVisible()
  })
})

describe('a question', () => {
  function Asking({ onAnswer }: { onAnswer: (sure: boolean) => void }) {
    const confirm = useConfirm()
    return (
      <button type="button" onClick={() => void confirm({ title: 'Delete it?', text: 'For good.', action: 'Delete' }).then(onAnswer)}>
        Ask
      </button>
    )
  }
  const ask = async () => {
    const onAnswer = vi.fn()
    const { user } = show(<Asking onAnswer={onAnswer} />)
    await user.click(screen.getByRole('button', { name: 'Ask' }))
    await screen.findByRole('dialog', { name: 'Delete it?' })
    return { user, onAnswer }
  }

  test.each([
    ['Delete', true],
    ['Cancel', false],
  ])('answered by %s is %o, once', async (name, sure) => {
    const { user, onAnswer } = await ask()
    await user.click(screen.getByRole('button', { name }))
    await waitFor(() => expect(onAnswer).toHaveBeenCalledWith(sure))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(onAnswer).toHaveBeenCalledOnce()
  })

  test('left by Escape is no', async () => {
    const { user, onAnswer } = await ask()
    await user.keyboard('{Escape}')
    await waitFor(() => expect(onAnswer).toHaveBeenCalledWith(false))
  })
})

describe('what was done', () => {
  test('can be taken back once', async () => {
    const undo = vi.fn()
    const { user } = show(<p>Page</p>)
    act(() => void showUndo({ message: 'Deleted.', label: 'Undo', undo }))
    await user.click(await screen.findByRole('button', { name: 'Undo' }))
    expect(undo).toHaveBeenCalledOnce()
    await waitFor(() => expect(screen.queryByText('Deleted.')).toBeNull())
  })

  test('cannot be taken back any more where something ended the offer', async () => {
    show(<p>Page</p>)
    let end = () => {}
    act(() => {
      end = showUndo({ message: 'Deleted.', label: 'Undo', undo: () => {} })
    })
    await screen.findByText('Deleted.')
    act(() => end())
    await waitFor(() => expect(screen.queryByText('Deleted.')).toBeNull())
  })
})

test('where something was saved elsewhere one decides which counts', async () => {
  const [onLoad, onKeep] = [vi.fn(), vi.fn()]
  const { user } = show(<NewerBanner title="Changed elsewhere." loadLabel="Load it" onLoad={onLoad} onKeep={onKeep} />)
  expect(screen.getByRole('status')).toHaveTextContent('Your changes are still here, and nothing was overwritten.')
  await user.click(screen.getByRole('button', { name: 'Load it' }))
  await user.click(screen.getByRole('button', { name: 'Continue with my version' }))
  expect([onLoad.mock.calls.length, onKeep.mock.calls.length]).toEqual([1, 1])
})

describe('leaving with changes', () => {
  function Page({ changed }: { changed: boolean }) {
    useDraftNotice(changed, 'Your changes are kept.')
    return <Link to="/elsewhere">Leave</Link>
  }
  const leaveApp = () => {
    const event = new Event('beforeunload', { cancelable: true })
    window.dispatchEvent(event)
    return event.defaultPrevented
  }

  test('the app asks first; without changes it does not', () => {
    const { unmount } = show(<Page changed />)
    expect(leaveApp()).toBe(true)
    unmount()
    expect(leaveApp()).toBe(false)
    show(<Page changed={false} />)
    expect(leaveApp()).toBe(false)
  })

  test.each([
    [true, 1],
    [false, 0],
  ])('for another page says that they are kept: %o', async (changed, told) => {
    history.replaceState(null, '', '/form')
    const { unmount } = show(<Page changed={changed} />)
    history.replaceState(null, '', '/elsewhere')
    unmount()
    show(<p>Elsewhere</p>)
    if (told) expect(await screen.findByText('Your changes are kept.')).toBeVisible()
    else expect(screen.queryByText('Your changes are kept.')).toBeNull()
    history.replaceState(null, '', '/')
  })

  test('taken away on the same page it says nothing', () => {
    const { unmount } = show(<Page changed />)
    unmount()
    show(<p>Here</p>)
    expect(screen.queryByText('Your changes are kept.')).toBeNull()
  })
})

describe('a password', () => {
  test('is told as wrong to those who hear it, with the reason', () => {
    show(<PasswordField label="Password" error="That is not your password." />)
    const field = screen.getByLabelText('Password')
    expect(field).toBeInvalid()
    expect(field).toHaveAccessibleDescription('That is not your password.')
  })

  test('is not told as wrong before it is', () => {
    show(<PasswordField label="Password" description="Eight characters or more" />)
    const field = screen.getByLabelText('Password')
    expect(field).toBeValid()
    expect(field).not.toHaveAttribute('aria-invalid')
    expect(field).toHaveAccessibleDescription('Eight characters or more')
  })

  test.each(['en', 'de'] as const)('can be looked at, in %s', async (language) => {
    await speak(language)
    const { user } = show(<PasswordField label="Password" defaultValue="warp and weft" />)
    const field = screen.getByLabelText('Password')
    expect(field).toHaveAttribute('type', 'password')
    await user.click(screen.getByRole('button', { name: { en: 'Show password', de: 'Passwort zeigen' }[language] }))
    expect(field).toHaveAttribute('type', 'text')
    expect(field).toHaveValue('warp and weft')
  })
})
