import type {
  AccountOut,
  AssistantIn,
  AssistantOut,
  AtDeadline,
  BudgetIn,
  BudgetUnit,
  DateRangeOut,
  Frequency,
  HashtagPolicy,
  ImageOrder,
  ImageFallback,
  ImageSource,
  Mode,
  MonthEnd,
  PickFrom,
  ScheduleIn,
  ScheduleOut,
  SecondLook,
  Strategy,
  TemplateOut,
  TextPer,
  TopicLink,
  TopicTreeOut,
  WebsiteOut,
} from '@/api/types.gen'
import { AssistantInSchema } from '@/api/schemas.gen'
import { isLanguage, type Language } from '@/i18n/languages'
import { cutText } from '@/lib/cut-text'
import type { ContentKind } from '@/lib/content-kind'

/** The values of every frequency: trying another one loses nothing. */
export interface ScheduleValues {
  frequency: Frequency
  time_zone: string | null
  time_slots: string[]
  days_of_week: number[]
  days_of_month: number[]
  month_end: MonthEnd
  every_days: number | ''
  /** `2026-10-21`, or empty. */
  start_date: string
  end_date: string
  cron: string
  most_per_day: number | ''
  left_out_dates: DateRangeOut[]
  /** ISO 3166-1. */
  holiday_country: string | null
  holiday_region: string | null
}

/** The values by the API's names, so that the server's errors match the fields. */
export interface AssistantValues {
  /** What the assistant writes for. The choice for the other kind is kept. */
  writes_for: 'networks' | 'website'
  website_id: string | null
  name: string
  tags: string[]
  topic_tree_id: string | null
  strategy: Strategy
  pick_from: PickFrom
  template_version_id: string | null
  image_source: ImageSource
  image_template_version_id: string | null
  image_media_ids: string[]
  image_order: ImageOrder
  brand_id: string | null
  text_per: TextPer
  second_look: SecondLook
  topic_link: TopicLink
  /** Empty for the server's default. */
  no_repeat: number | ''
  hashtag_policy: HashtagPolicy
  most_hashtags: number | ''
  always_hashtags: string[]
  link: string
  image_fallback: ImageFallback
  variables: Record<string, string>
  account_ids: string[]
  schedule: ScheduleValues
  mode: Mode
  language: Language
  lead_minutes: number | ''
  /** Empty for the server's default. */
  catch_up_minutes: number | ''
  at_deadline: AtDeadline
  veto_minutes: number | null
  budget_unit: BudgetUnit | 'none'
  /** In whole units of the currency, or tokens. */
  budget_amount: number | ''
}

export const DEFAULT_LEAD = AssistantInSchema.properties.lead_minutes.default
export const LEAD_TO_DECIDE = 24 * 60 // minutes, for posts that need an approval
/** Return how many minutes before its time a post is prepared by default. */
export const defaultLead = (mode: Mode) => (mode === 'approval' ? LEAD_TO_DECIDE : DEFAULT_LEAD)
/** Return the lead time after a change of the mode: that of the new mode, unless the user has set another one. */
export function leadFor(mode: Mode, { mode: before, lead_minutes }: Pick<AssistantValues, 'mode' | 'lead_minutes'>): number | '' {
  if (mode === 'approval' && lead_minutes === DEFAULT_LEAD) return LEAD_TO_DECIDE
  if (mode !== 'approval' && before === 'approval' && lead_minutes === LEAD_TO_DECIDE) return DEFAULT_LEAD
  return lead_minutes
}
/** Return the first chosen account for which its network's terms restrict automated posting. */
export const findRestricted = <Account extends Pick<AccountOut, 'id' | 'restricts_automation'>>(
  chosen: readonly string[],
  accounts: readonly Account[],
): Account | undefined => accounts.find(({ id, restricts_automation }) => restricts_automation && chosen.includes(id))
export const LONGEST_NAME = AssistantInSchema.properties.name.maxLength
const MICRO = 1_000_000 // millionths of a currency's unit
export const USUAL_HASHTAGS = 5
const WORKING_DAYS = [1, 2, 3, 4, 5] // Monday is 1

/** The choices that may have a single option. */
interface Choosable {
  accounts: readonly Pick<AccountOut, 'id' | 'restricts_automation'>[]
  topicTrees: readonly Pick<TopicTreeOut, 'id' | 'name'>[]
  textTemplates: readonly Pick<TemplateOut, 'version_id'>[]
}

export const newAssistant = (language: Language, timeZone: string): AssistantValues => ({
  writes_for: 'networks',
  website_id: null,
  name: '',
  tags: [],
  topic_tree_id: null,
  strategy: 'least_recent',
  pick_from: 'leaves',
  template_version_id: null,
  image_source: 'none',
  image_template_version_id: null,
  image_media_ids: [],
  image_order: 'in_turn',
  brand_id: null,
  text_per: AssistantInSchema.properties.text_per.default,
  second_look: AssistantInSchema.properties.second_look.default,
  topic_link: AssistantInSchema.properties.topic_link.default,
  no_repeat: '',
  hashtag_policy: 'as_written',
  most_hashtags: '',
  always_hashtags: [],
  link: '',
  image_fallback: 'ask',
  variables: {},
  account_ids: [],
  schedule: {
    frequency: 'weekly',
    time_zone: timeZone,
    time_slots: ['09:00'],
    days_of_week: WORKING_DAYS,
    days_of_month: [],
    month_end: 'last_day',
    every_days: '',
    start_date: '',
    end_date: '',
    cron: '',
    most_per_day: '',
    left_out_dates: [],
    holiday_country: null,
    holiday_region: null,
  },
  mode: 'draft',
  language,
  lead_minutes: DEFAULT_LEAD,
  catch_up_minutes: '',
  at_deadline: AssistantInSchema.properties.at_deadline.default,
  veto_minutes: null,
  budget_unit: 'none',
  budget_amount: '',
})

/** Return the values with single options selected, and the tree's name as the name. */
export function withOnlyChoices(values: AssistantValues, choices: Choosable): AssistantValues {
  const tree = only(choices.topicTrees)
  const account = only(choices.accounts)
  const mode = account?.restricts_automation ? 'approval' : values.mode
  return {
    ...values,
    mode,
    lead_minutes: leadFor(mode, values),
    name: tree ? cutText(tree.name, LONGEST_NAME) : values.name,
    topic_tree_id: tree?.id ?? null,
    template_version_id: only(choices.textTemplates)?.version_id ?? null,
    account_ids: account ? [account.id] : [],
  }
}

const only = <One>(all: readonly One[]): One | undefined => (all.length === 1 ? all[0] : undefined)

/** Return whether the form's assistant writes posts or articles. */
export const writtenFor = ({ writes_for }: Pick<AssistantValues, 'writes_for'>): ContentKind => (writes_for === 'website' ? 'article' : 'post')

/** Return the values of a new assistant for the website, in its language. */
export const forWebsite = ({ id, language }: Pick<WebsiteOut, 'id' | 'language'>): Partial<AssistantValues> => ({
  writes_for: 'website',
  website_id: id,
  ...(isLanguage(language) && { language }),
})

/** Return whether the form has everything needed for activation. Variables are checked only by the server. */
export function looksComplete(values: AssistantValues): boolean {
  const { writes_for, website_id, name, topic_tree_id, template_version_id, image_source, image_template_version_id, image_media_ids, account_ids, mode, schedule } = values
  const { frequency, time_slots, days_of_week, days_of_month, every_days, cron } = schedule
  const days = { daily: true, weekly: days_of_week.length > 0, monthly: days_of_month.length > 0, interval: every_days !== '', cron: true }
  const hasDates = frequency === 'cron' ? cron.trim() !== '' : time_slots.length > 0 && days[frequency]
  const goesSomewhere = writes_for === 'website' ? website_id !== null : mode === 'draft' || account_ids.length > 0
  const hasImage = { none: true, template: image_template_version_id !== null, own: image_media_ids.length > 0 }[image_source]
  return Boolean(name.trim() && schedule.time_zone && topic_tree_id && template_version_id && hasDates && hasImage && goesSomewhere)
}

export const toValues = (assistant: AssistantOut): AssistantValues => ({
  writes_for: assistant.website ? 'website' : 'networks',
  website_id: assistant.website?.id ?? null,
  name: assistant.name,
  tags: assistant.tags,
  topic_tree_id: assistant.topic_tree_id,
  strategy: assistant.strategy,
  pick_from: assistant.pick_from,
  template_version_id: assistant.template?.version_id ?? null,
  image_source: assistant.image_source,
  image_template_version_id: assistant.image_template?.version_id ?? null,
  image_media_ids: assistant.image_media_ids,
  image_order: assistant.image_order,
  brand_id: assistant.brand_id,
  text_per: assistant.text_per,
  second_look: assistant.second_look,
  topic_link: assistant.topic_link,
  no_repeat: assistant.no_repeat,
  hashtag_policy: assistant.hashtag_policy,
  most_hashtags: assistant.most_hashtags ?? '',
  always_hashtags: assistant.always_hashtags,
  link: assistant.link,
  image_fallback: assistant.image_fallback,
  variables: assistant.variables,
  // the website has its own account
  account_ids: assistant.website ? [] : assistant.accounts.map((account) => account.id),
  schedule: toScheduleValues(assistant.schedule),
  mode: assistant.mode,
  language: assistant.language,
  lead_minutes: assistant.lead_minutes,
  catch_up_minutes: assistant.catch_up_minutes ?? '',
  at_deadline: assistant.at_deadline,
  veto_minutes: assistant.veto_minutes,
  budget_unit: assistant.budget?.unit ?? 'none',
  budget_amount: assistant.budget ? inUnits(assistant.budget) : '',
})

/** Return the amount of a budget in units: money in the currency's main unit. */
const inUnits = ({ unit, amount }: BudgetIn) => (unit === 'money' ? amount / MICRO : amount)

const toScheduleValues = (schedule: ScheduleOut): ScheduleValues => ({
  ...schedule,
  every_days: schedule.every_days ?? '',
  start_date: schedule.start_date ?? '',
  end_date: schedule.end_date ?? '',
  cron: schedule.cron ?? '',
  most_per_day: schedule.most_per_day ?? '',
})

/** Return the schedule for the server, with only the values of the chosen frequency. */
export function toSchedule(values: ScheduleValues): ScheduleIn {
  const { frequency } = values
  return {
    frequency,
    time_zone: values.time_zone ?? '',
    time_slots: frequency === 'cron' ? [] : [...values.time_slots].sort(),
    days_of_week: frequency === 'weekly' ? ascending(values.days_of_week) : [],
    days_of_month: frequency === 'monthly' ? ascending(values.days_of_month) : [],
    month_end: values.month_end,
    every_days: frequency === 'interval' && values.every_days !== '' ? values.every_days : null,
    start_date: values.start_date || null,
    end_date: values.end_date || null,
    cron: frequency === 'cron' ? values.cron.trim() : null,
    most_per_day: values.most_per_day === '' ? null : values.most_per_day,
    left_out_dates: values.left_out_dates,
    holiday_country: values.holiday_country,
    holiday_region: values.holiday_country ? values.holiday_region : null,
  }
}

export const toBody = ({ budget_unit, budget_amount, writes_for, ...values }: AssistantValues): AssistantIn => ({
  ...values,
  website_id: writes_for === 'website' ? values.website_id : null,
  account_ids: writes_for === 'website' ? [] : values.account_ids,
  budget: toBudget(budget_unit, budget_amount),
  name: values.name.trim(),
  image_template_version_id: values.image_source === 'template' ? values.image_template_version_id : null,
  image_media_ids: values.image_source === 'own' ? values.image_media_ids : [],
  no_repeat: values.no_repeat === '' ? undefined : values.no_repeat,
  // an article has no hashtags and no link below it
  ...(writes_for === 'website' ? NO_ENDING : toEnding(values)),
  catch_up_minutes: values.catch_up_minutes === '' ? null : values.catch_up_minutes,
  lead_minutes: values.lead_minutes === '' ? defaultLead(values.mode) : values.lead_minutes,
  // only an automatic assistant has a veto window
  veto_minutes: values.mode === 'automatic' ? values.veto_minutes : null,
  schedule: toSchedule(values.schedule),
})

const NO_ENDING = { hashtag_policy: 'as_written', most_hashtags: null, always_hashtags: [], link: '' } as const satisfies Partial<AssistantIn>

/** Return the hashtag rules and the link for the server. */
export const toEnding = (values: Pick<AssistantValues, 'hashtag_policy' | 'most_hashtags' | 'always_hashtags' | 'link'>) => ({
  hashtag_policy: values.hashtag_policy,
  most_hashtags: values.hashtag_policy === 'at_most' && values.most_hashtags !== '' ? values.most_hashtags : null,
  always_hashtags: values.always_hashtags,
  link: values.link.trim(),
})

const toBudget = (unit: AssistantValues['budget_unit'], amount: number | ''): BudgetIn | null =>
  unit === 'none' || amount === '' ? null : { unit, amount: Math.round(unit === 'money' ? amount * MICRO : amount) }

const ascending = (numbers: number[]) => [...numbers].sort((first, second) => first - second)

/** Return the number of fields that differ; each field of the schedule counts. */
export function countChanges(before: AssistantValues, after: AssistantValues): number {
  const { schedule: scheduleBefore, ...restBefore } = before
  const { schedule: scheduleAfter, ...restAfter } = after
  return differing(restBefore, restAfter) + differing(scheduleBefore, scheduleAfter)
}

function differing<Values extends object>(before: Values, after: Values): number {
  const keys = Object.keys(after) as (keyof Values)[]
  return keys.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key])).length
}

/** Return `9`, `930`, `9:30`, `9.30` as `HH:MM`; null if it is not a time. */
export function parseTime(text: string): string | null {
  const match = /^(\d{1,2})(?:[:.]?([0-5]\d))?$/.exec(text.trim())
  const hour = Number(match?.[1])
  if (!match || hour > 23) return null
  return `${String(hour).padStart(2, '0')}:${match[2] ?? '00'}`
}
