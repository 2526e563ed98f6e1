import { act, screen } from '@testing-library/react'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { CallOut, ErrorCode, RunEvidenceOut, StepEvidenceOut, StepKind, TextVersionOut } from '@/api/types.gen'
import { TimeZoneContext } from '@/i18n/locale'
import { aDelivery, aRun, aStep } from '@/test/made'
import { show } from '@/test/screen'
import { startServer } from '@/test/server'
import { DeliveryEvidence, StepEvidence } from './run-evidence'
import { RunReplay } from './run-replay'

startServer()

afterEach(() => vi.useRealTimers())

const step = (kind: StepKind, changes: Partial<StepEvidenceOut> = {}): StepEvidenceOut => ({
  ...aStep(kind),
  failures: [],
  networks: [],
  ...changes,
})

const aCall = (changes: Partial<CallOut> = {}): CallOut => ({
  type: 'text',
  outcome: 'incomplete',
  model: 'gpt-6-luna',
  provider: 'openai',
  created_at: '2026-11-21T08:45:02Z',
  cost_micros: 1_200,
  most_micros: null,
  currency: 'EUR',
  duration_ms: 900,
  input_tokens: 100,
  output_tokens: 20,
  images: 0,
  request_id: null,
  ...changes,
})

const aWholeRun = (changes: Partial<RunEvidenceOut> = {}): RunEvidenceOut => ({
  ...aRun(),
  approval: null,
  mode: 'automatic',
  wants_image: false,
  topic_path: ['Weather'],
  content: 'Mudguards help.',
  first_file: null,
  image_template: null,
  text_template: { template_id: 'template', version_id: 'version', name: 'Practical tip', number: 3 },
  calls: [],
  texts: [],
  found: [],
  by_link: false,
  edited: false,
  brand: null,
  deliveries: [{ ...aDelivery(), failures: [] }],
  steps: [step('topic'), step('text'), step('check')],
  earlier_id: null,
  later_id: null,
  attempts: 1,
  published_at: '2026-11-21T09:00:00Z',
  lateness_ms: 0,
  time_zone: 'UTC',
  ...changes,
})

const inUtc = (part: React.ReactNode) => show(<TimeZoneContext value="UTC">{part}</TimeZoneContext>)
const fact = (name: string) => screen.queryByText(name, { selector: 'dt' })?.nextElementSibling?.textContent

describe('what a step left', () => {
  const of = (kind: StepKind, changes: Partial<StepEvidenceOut>, run: Partial<RunEvidenceOut> = {}) =>
    inUtc(<StepEvidence run={aWholeRun({ steps: [step(kind, changes)], ...run })} kind={kind} />)

  test.each<[string, StepEvidenceOut['facts'], string | undefined]>([
    ['Tokens in / out', { input_tokens: 1_088, output_tokens: 214 }, '1,088 in, 214 out'],
    // what nobody knows is no zero
    ['Tokens in / out', { input_tokens: 1_088, output_tokens: null }, '1,088 in, ? out'],
    ['Tokens in / out', { input_tokens: 0, output_tokens: 0 }, undefined],
    ['Cost', { cost_micros: 3_200 }, '€0.0032'],
    ['Cost', { cost_micros: null }, 'cost unknown'],
    ['Cost', {}, undefined],
    ['Cost', { provider: 'demo', cost_micros: 0 }, undefined],
    ['Model', { provider: 'openai', model: 'gpt-6-luna' }, 'gpt-6-luna'],
    ['Model', { provider: 'demo', model: 'demo' }, 'Demo writer'],
    ['Model', { provider: 'cards', model: 'quote' }, 'Card in the layout “Quote”'],
    ['Model', { provider: 'cards', model: 'cards', pages: 4 }, 'Carousel with 4 pages'],
    ['Provider’s request', { request_id: '' }, undefined],
  ])('%s of %j', (name, facts, text) => {
    of('text', { facts })
    expect(fact(name)).toBe(text)
  })

  test.each<[StepEvidenceOut['facts'], string]>([
    [{}, ''],
    [{ revision: 'revised', revised: 1 }, 'The model has revised 1 text because of it.'],
    [{ revision: 'revised', revised: 2 }, 'The model has revised 2 texts because of it.'],
    [{ revision: 'kept' }, 'The model’s revision was no better, so the first text is used.'],
  ])('says what the second look found, and with %j what came of it', async (facts, outcome) => {
    of('text', { facts }, { found: [{ finding: 'cliche', network: null, params: { what: 'game changer' } }] })
    await screen.findByText('Worn phrase: “game changer”')
    expect(fact('Second look')).toBe(`Worn phrase: “game changer”${outcome}`)
  })

  test('says why nothing was revised', async () => {
    const facts = { revision: 'kept', revision_code: 'model_unavailable' }
    of('text', { facts }, { found: [{ finding: 'wrong_language', network: null, params: {} }] })
    await screen.findByText('The text is not in the post’s language.')
    expect(fact('Second look')).toMatch(/The model has not revised the text\. .+/)
  })

  test('says nothing of a second look that found nothing, or is still to come', () => {
    of('text', {})
    expect(fact('Second look')).toBeUndefined()
    of('text', { state: 'active' }, { found: [{ finding: 'wrong_language', network: null, params: {} }] })
    expect(fact('Second look')).toBeUndefined()
  })

  test('says of each network how its text was made, and names its texts', () => {
    const networks: StepEvidenceOut['networks'] = [
      { channel: 'linkedin', facts: { characters: 900 } },
      { channel: 'bluesky', facts: { characters: 280, fitting: 'cut', first_characters: 420, limit: 300 } },
    ]
    const version = (kind: TextVersionOut['kind'], part: number, channel: TextVersionOut['channel']): TextVersionOut => ({
      kind,
      part,
      channel,
      content: 'Mudguards help.',
      reason: null,
      created_at: '2026-11-21T08:45:02Z',
    })
    const texts = [version('written', 0, 'linkedin'), version('written', 1, 'bluesky'), version('rewritten', -2, 'bluesky')]
    of('text', { networks }, { texts })
    expect(fact('Length')).toMatch(/^Bluesky: .*420/)
    for (const name of ['LinkedIn: First text', 'Bluesky: First text', 'Bluesky: Revised after the second look'])
      expect(screen.getByText(name)).toBeVisible()
  })

  test('warns of a prompt that the server has cut', () => {
    of('text', { facts: { prompt_cut: true } })
    expect(screen.getByText(/The model did not read the whole prompt/)).toBeVisible()
  })

  test.each([
    ['2026-11-21T08:45:04Z', '4\u00a0s'],
    ['2026-11-21T08:46:05Z', '1\u00a0min 5\u00a0secs'],
    [null, undefined],
  ])('until %s took its time', (finished_at, text) => {
    of('text', { finished_at })
    expect(fact('Duration')).toBe(text)
  })

  test('begins with the template in its version', () => {
    of('text', {})
    expect(screen.getByRole('link', { name: 'Practical tip, version 3' })).toHaveAttribute(
      'href',
      '/templates/template',
    )
  })

  test('of an image names its own template, and of a check none', () => {
    const image_template = { template_id: 'picture', version_id: 'v', name: 'Flat picture', number: 1 }
    const { unmount } = of('image', {}, { image_template })
    expect(screen.getByRole('link', { name: 'Flat picture, version 1' })).toBeVisible()
    unmount()
    of('check', { facts: { content_hash: '0123456789abcdef' } }, { image_template })
    expect(screen.queryByRole('link')).toBeNull()
    expect(fact('Content hash')).toBe('0123456789ab')
    expect(screen.getByText('0123456789ab')).toHaveAttribute('title', '0123456789abcdef')
  })

  test('names each attempt that failed', () => {
    of('text', {
      failures: [
        { attempt: 1, code: 'model_unavailable', at: '2026-11-21T08:45:01Z' },
        { attempt: 2, code: 'internal', at: '2026-11-21T08:45:03Z' },
      ],
    })
    expect(screen.getAllByRole('listitem').map((item) => item.textContent?.slice(0, 26))).toEqual([
      '08:45:01 Attempt 1 failed:',
      '08:45:03 Attempt 2 failed:',
    ])
  })

  test('names the calls that gave nothing and cost all the same, of its own kind', () => {
    const calls = [
      aCall(),
      aCall({ created_at: '2026-11-21T08:45:03Z', cost_micros: null }),
      aCall({ created_at: '2026-11-21T08:45:04Z', outcome: 'succeeded' }),
      aCall({ created_at: '2026-11-21T08:45:05Z', type: 'image' }),
    ]
    of('text', {}, { calls })
    expect(screen.getAllByRole('listitem').map((item) => item.textContent)).toEqual([
      '08:45:02 gpt-6-luna gave no usable answer, €0.0012',
      '08:45:03 gpt-6-luna gave no usable answer, cost unknown',
    ])
  })

  test('that was not taken is nothing', () => {
    inUtc(<StepEvidence run={aWholeRun({ steps: [] })} kind="text" />)
    expect(screen.queryByRole('term')).toBeNull()
  })
})

describe('what a delivery left', () => {
  const of = (changes: Partial<RunEvidenceOut['deliveries'][number]>) => {
    const delivery = { ...aDelivery(), failures: [], ...changes }
    inUtc(<DeliveryEvidence run={aWholeRun({ deliveries: [delivery] })} deliveryId="delivery" />)
  }

  test.each<[string, Parameters<typeof of>[0]]>([
    ['0 s after the slot · confirmed 1 s later', {}],
    [
      '13 s after the slot · confirmed 0.5 s later · 2 attempts',
      { called_at: '2026-11-21T09:00:13Z', settled_at: '2026-11-21T09:00:13.5Z', attempts: 2 },
    ],
    ['3 attempts', { state: 'failed', attempts: 3 }],
  ])('%s', (text, changes) => {
    of(changes)
    expect(screen.getByText(text)).toBeVisible()
  })

  test.each(['moved', 'by_hand'] as const)('nothing is late against a slot that was not waited for: %s', (reason) => {
    const run = aWholeRun({ [reason]: true, lateness_ms: null })
    inUtc(<DeliveryEvidence run={run} deliveryId="delivery" />)
    expect(screen.getByText('confirmed 1 s later')).toBeVisible()
  })

  test('says what failed before it was even sent', () => {
    of({ failures: [{ attempt: 0, code: 'internal', at: '2026-11-21T08:59:58Z' }] })
    expect(screen.getByRole('listitem')).toHaveTextContent(/^08:59:58 Uploading failed:/)
  })
})

describe('a run that is played again', () => {
  const play = async (run: RunEvidenceOut) => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const shown = inUtc(<RunReplay run={run} />)
    await shown.user.click(screen.getByRole('button', { name: 'Replay' }))
    const goOn = () => act(() => void vi.advanceTimersByTime(900))
    return { ...shown, goOn }
  }

  test('goes on by itself, waits for its slot, and ends as it was', async () => {
    const { goOn } = await play(aWholeRun())
    expect(screen.getByText('What happened next')).toBeVisible()
    goOn()
    expect(screen.getByText('Waits for the slot at 9:00')).toBeVisible()
    for (let moment = 0; moment < 3; moment++) goOn()
    expect(await screen.findByText('Published on 1 channel')).toBeVisible()
    expect(screen.getByRole('button', { name: 'Replay' })).toBeVisible()
    expect(screen.queryByText('What happened next')).toBeNull()
  })

  test('where nothing happened there is nothing to play', () => {
    inUtc(
      <RunReplay
        run={aWholeRun({
          state: 'missed',
          mode: null,
          reason: 'missed_outage',
          steps: [],
          deliveries: [],
          post_id: null,
        })}
      />,
    )
    expect(screen.queryByRole('button')).toBeNull()
    expect(screen.getByText('Missed')).toBeVisible()
  })

  test('one that is not over leads to the live page', () => {
    inUtc(
      <RunReplay
        run={aWholeRun({ state: 'preparing', post_id: null, deliveries: [], published_at: null, lateness_ms: null })}
      />,
    )
    expect(screen.getByRole('link', { name: 'Watch live' })).toHaveAttribute('href', '/assistants/assistant')
  })
})

describe('a run that asked before it published', () => {
  const approval: NonNullable<RunEvidenceOut['approval']> = {
    state: 'approved', at_deadline: 'hold', deadline_at: '2026-11-21T08:59:00Z', decided_at: '2026-11-21T08:58:00Z',
    by_deadline: false, remark: '', at_once: false, rewrite_error: null,
  }

  test.each<[string, Partial<RunEvidenceOut>]>([
    ['Approved by you at 8:58', { approval }],
    ['Approved by you at 8:58 with the link in the email', { approval, by_link: true }],
    ['Nobody objected by Sat 21 Nov, 08:59', { approval: { ...approval, by_deadline: true, at_deadline: 'publish', decided_at: '2026-11-21T08:59:00Z' } }],
    ['Declined by you at 8:58', { approval: { ...approval, state: 'declined', remark: 'Too long' } }],
  ])('%s', (title, changes) => {
    vi.useFakeTimers({ now: new Date('2026-11-21T12:00:00Z'), toFake: ['Date'] })
    inUtc(<RunReplay run={aWholeRun(changes)} />)
    expect(screen.getByText(title)).toBeVisible()
    expect(screen.getByText(/^Waited .* for your answer/)).toBeVisible()
    expect(screen.queryByText('You edited the text')).toBeNull()
    expect(screen.queryByText('Too long') !== null).toBe(title.startsWith('Declined'))
  })

  test('says that a person edited the text', () => {
    inUtc(<RunReplay run={aWholeRun({ approval, edited: true })} />)
    expect(screen.getByText('You edited the text')).toBeVisible()
  })

  test('names the brand that it wrote for', () => {
    inUtc(<StepEvidence run={aWholeRun({ brand: 'House style' })} kind="text" />)
    expect(fact('Brand')).toBe('House style')
  })
})

describe('a run whose post a person published at another time', () => {
  const at = (planned_at: string) => inUtc(<RunReplay run={aWholeRun({ moved: true, planned_at, published_at: planned_at, lateness_ms: null })} />)

  test.each([
    ['2026-11-20T11:01:00Z', 'You published the post ahead of its slot Sat 21 Nov, 09:00', 'Fri 20 Nov, 11:01'],
    ['2026-11-22T11:01:00Z', 'You published the post later than its slot Sat 21 Nov, 09:00', 'Sun 22 Nov, 11:01'],
  ])('at %s says so, and waited for no slot', (planned, title, when) => {
    at(planned)
    expect(screen.getByText(title)).toBeVisible()
    expect(screen.getByText(when)).toBeVisible()
    expect(screen.queryByText(/Waited|after the slot/)).toBeNull()
  })
})

describe('what was done to the text', () => {
  const withText = (facts: StepEvidenceOut['facts'], changes: Partial<RunEvidenceOut> = {}) =>
    inUtc(<StepEvidence run={aWholeRun({ steps: [step('text', { facts })], ...changes })} kind="text" />)
  const long = { first_characters: 3512, limit: 3000 }

  test.each([
    [{ ...long, fitting: 'shortened' }, 'The text had 3,512 characters, but only 3,000 are allowed: the model shortened it.'],
    [{ ...long, fitting: 'cut', fitting_code: 'model_refused' }, /without the model\. The model refused to do this/],
    [{ similarity: 12, compared: 50 }, null],
  ])('its length: %o', (facts, said) => {
    withText(facts)
    expect(fact('Length') ?? null)[said instanceof RegExp ? 'toMatch' : 'toBe'](said as string)
  })

  test('how near it comes to an earlier post', () => {
    withText({ similarity: 12, compared: 50 })
    expect(fact('Repetition')).toBe('12% of the text matches the most similar of the last 50 posts')
  })

  test.each([
    ['rewritten', /^91% of the first text matched an earlier post about “Rain”\. Of the rewritten text, 20% matches\./],
    ['accepted', /Of the second text, 20% matches\. The second text is used anyway\./],
  ])('that it was %s, with the post that it resembles', (repetition, said) => {
    withText({ repetition, first_similarity: 91, similarity: 20, similar_topic: 'Rain', similar_post_id: 'one' })
    expect(fact('Repetition')).toMatch(said)
    expect(screen.getByRole('link', { name: 'Show similar post' })).toHaveAttribute('href', '/social-media-posts/one')
  })

  test.each([
    [{ flaw: 'language', correction: 'rewritten' }, 'The first text was in the wrong language and was rewritten.'],
    [{ flaw: 'no_words', correction: 'accepted' }, /^The text contains only hashtags and symbols, even after a second attempt\./],
    [{ flaw: 'language', correction: 'accepted', correction_code: 'model_refused' }, /there was no second attempt\. It is used anyway\. The model refused/],
    [{}, null],
  ])('that it had a flaw: %o', (facts, said) => {
    withText(facts)
    expect(fact('Correction') ?? null)[said instanceof RegExp ? 'toMatch' : 'toBe'](said as string)
  })

  test('every text that came, where there is more than one', () => {
    const came = { created_at: '2026-11-21T08:45:02Z' }
    withText({}, {
      texts: [
        { kind: 'written', part: 0, content: 'Long.', reason: null, ...came },
        { kind: 'written', part: -1, content: 'Once more.', reason: null, ...came },
        { kind: 'rewritten', part: 0, content: null, reason: 'model_refused', ...came },
      ],
    })
    expect(screen.getByText('First text')).toBeVisible()
    expect(screen.getByText('First text: second answer')).toBeVisible()
    expect(screen.getByText('Long.')).toBeInTheDocument()
    expect(screen.getByText(/^The model refused to do this/)).toBeInTheDocument()
  })
})

describe('an attempt that failed', () => {
  const failing = (state: 'done' | 'failed', ...codes: ErrorCode[]) =>
    inUtc(
      <StepEvidence
        run={aWholeRun({ steps: [step('text', { state, failures: codes.map((code, index) => ({ attempt: index + 1, code, at: `2026-11-21T08:45:0${index}Z` })) })] })}
        kind="text"
      />,
    )

  test('for good and as the only one says no more than its step', () => {
    failing('failed', 'model_refused')
    expect(screen.queryByText(/The model refused to do this/)).toBeNull()
  })

  test('shows what the server said', () => {
    const said = { attempt: 5, code: 'model_unavailable', at: '2026-11-21T08:45:00Z', detail: '502: upstream is gone' }
    inUtc(<StepEvidence run={aWholeRun({ steps: [step('text', { state: 'failed', failures: [said] })] })} kind="text" />)
    expect(screen.getByText('502: upstream is gone')).toBeVisible()
  })

  test('for good is not said to be tried again by itself', () => {
    failing('failed', 'rate_limited', 'model_refused')
    expect(screen.getByText(/The model refused to do this/)).toBeVisible()
    expect(screen.queryByText(/retry automatically/)).toBeNull()
  })

  test('and was the last is not, either', () => {
    failing('failed', 'model_unavailable', 'model_unavailable')
    expect(screen.getAllByText(/We’ll retry automatically/)).toHaveLength(1)
    expect(screen.getByText(/Try again in a few minutes/)).toBeVisible()
  })

  test('in passing is', () => {
    failing('done', 'rate_limited')
    expect(screen.getByText(/After the pause, publishing continues automatically/)).toBeVisible()
  })
})
