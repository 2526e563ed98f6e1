import { describe, expect, test } from 'vitest'
import { fieldErrors, problemText, toProblem, type Problem } from '@/lib/problems'
import { allTranslations } from '@/test/texts'

const { en: english, de: german } = allTranslations

const problem = (change: Partial<Problem>): Problem => ({
  status: 422,
  code: 'invalid_input',
  detail: '',
  params: {},
  errors: [],
  ...change,
})

describe('what a call throws', () => {
  test('the server’s problem stays as it is', () => {
    const sent = problem({ code: 'login_failed' })
    expect(toProblem(sent)).toBe(sent)
  })

  test('a gateway’s page becomes a problem with its status', () => {
    const answer = toProblem('<html>Bad gateway</html>', new Response(null, { status: 502 }))
    expect(answer).toMatchObject({ status: 502, code: 'unreachable', params: {}, errors: [] })
  })

  test('a lost connection becomes a problem', () => {
    expect(toProblem(new TypeError('Failed to fetch'))).toMatchObject({ status: 0, code: 'unreachable' })
  })
})

describe('the sentence for people', () => {
  test('is the one of the code, in both languages', () => {
    expect(problemText(english, problem({ code: 'login_failed' }))).toBe('Login failed. Please try again.')
    expect(problemText(german, problem({ code: 'login_failed' }))).toBe(
      'Anmeldung fehlgeschlagen. Bitte versuche es noch einmal.',
    )
  })

  test('holds the parameters, numbers by locale', () => {
    const long = problem({ code: 'content_too_long', params: { length: 3214, limit: 3000 } })
    expect(problemText(english, long)).toBe('3,214 characters, but only 3,000 are allowed. Shorten the text.')
    expect(problemText(german, long)).toBe('3.214 Zeichen, erlaubt sind 3.000. Kürze den Text.')
  })

  test.each([
    ['video_too_short', { seconds: 1, limit: 3 }, 'This video is 0:01 long, this channel requires at least 0:03.'],
    ['video_too_short', { seconds: 2.9, limit: 3 }, 'This video is 0:02 long, this channel requires at least 0:03.'],
    ['video_too_long', { seconds: 1000, limit: 900 }, 'This video is 16:40 long, this channel accepts up to 15:00.'],
    ['video_too_long', { seconds: 900.2, limit: 900 }, 'This video is 15:01 long, this channel accepts up to 15:00.'],
    ['video_ratio_unfit', { ratio: 10, least: 0.42, most: 2.4 }, 'This video is too wide or too tall for this channel: its aspect ratio is 10:1, allowed is 5:12 to 12:5.'],
    ['video_ratio_unfit', { ratio: 0, least: 0.01, most: 10 }, 'This video is too wide or too tall for this channel: its aspect ratio is 1:100, allowed is 1:100 to 10:1.'],
    ['image_ratio_unfit', { ratio: 0.56, least: 0.8, most: 1.91 }, 'This image is too wide or too tall for this channel: its aspect ratio is 9:16, allowed is 4:5 to 1.91:1. Crop it.'],
  ] as const)('says lengths and aspect ratios as people do: %s %o', (code, params, said) => {
    expect(problemText(english, problem({ code, params }))).toBe(said)
  })

  test('says them in German, too', () => {
    const wide = problem({ code: 'image_ratio_unfit', params: { ratio: 1.78, least: 0.8, most: 1.91 } })
    expect(problemText(german, wide)).toContain('Sein Seitenverhältnis ist 16:9, erlaubt ist 4:5 bis 1,91:1.')
    const long = problem({ code: 'video_too_long', params: { seconds: 15_000, limit: 14_400 } })
    expect(problemText(german, long)).toBe('Dieses Video dauert 4:10:00, dieser Kanal nimmt höchstens 4:00:00 an.')
  })

  test('is closer where the kind, the field or a parameter tells more', () => {
    const params = { line: 2, column: 5, problem: 'empty' }
    expect(problemText(english, problem({ code: 'template_syntax', params }))).toContain('has no name')
    expect(problemText(english, { code: 'image_template_required', field: 'files', params: {} })).toBe(
      'Instagram requires a file to be uploaded',
    )
    expect(problemText(english, { code: 'image_template_required', field: 'image_source', params: {} })).toBe(
      'Instagram requires an image template',
    )
    expect(problemText(english, problem({ code: 'in_use', params: { by: 'Fleet facts' } }))).toContain('Fleet facts')
  })

  test.each([
    [{ limit: 'active_assistants', allowed: 1, used: 1, subscribed: 0 }, /^Without a subscription, one assistant can be active/, /^Ohne Abonnement kann nur ein Assistent aktiv sein/],
    [{ limit: 'active_assistants', allowed: 0, used: 0, subscribed: 0 }, /no assistant can be active/, /kein Assistent/],
    [{ limit: 'active_assistants', allowed: 20, used: 20, subscribed: 1 }, /^Your plan allows 20 active assistants/, /^In deinem Tarif können 20 Assistenten/],
    [{ limit: 'published_posts', allowed: 10, used: 12, subscribed: 0 }, /10 posts and articles a month can be published, and that month already has 12/, /10 Beiträge und Artikel im Monat veröffentlicht werden, und in dem Monat sind es schon 12/],
    [{ limit: 'published_posts', allowed: 1, used: 1, subscribed: 1 }, /^Your plan includes one post or article a month/, /^Dein Tarif umfasst einen Beitrag oder Artikel/],
    [{ limit: 'cost_micros', allowed: 1_000_000, used: 1_000_400, subscribed: 0 }, /free AI allowance is not enough/, /freie KI-Kontingent reicht/],
    [{ limit: 'cost_micros', allowed: 1_000_000, used: 1_000_400, subscribed: 1 }, /in your plan is not enough/, /KI-Kontingent in deinem Tarif reicht/],
    [{ limit: 'from_the_future', allowed: 1, used: 1, subscribed: 0 }, /^This is more than your plan includes\.$/, /^Das ist mehr, als dein Tarif umfasst\.$/],
  ])('says which limit it is, and whose: %o', (params, said, gesagt) => {
    const refused = problem({ status: 402, code: 'subscription_required', params })
    expect(problemText(english, refused)).toMatch(said)
    expect(problemText(german, refused)).toMatch(gesagt)
  })

  test('is the general one for a code of a newer server', () => {
    const unknown = problem({ code: 'from_the_future' as Problem['code'] })
    expect(problemText(english, unknown)).toBe('An error occurred. Please try again later.')
  })
})

test('each field has its first sentence', () => {
  const refused = problem({
    errors: [
      { field: 'password', code: 'password_too_short', params: { shortest: 10 } },
      { field: 'password', code: 'password_common', params: {} },
      { field: 'schedule.cron', code: 'bad_cron', params: { found: 3 } },
    ],
  })
  expect(fieldErrors(english, refused)).toEqual({
    password: 'At least 10 characters. A sentence works well.',
    'schedule.cron': 'This is not a CRON expression with five fields: minute, hour, day, month, weekday.',
  })
})
