/** The texts that only some pages show, by the name of their file: each is loaded with the first page that has it. */
export const parts = [
  'account',
  'accounts',
  'approval-link',
  'assistant-form',
  'assistants',
  'calendar',
  'cards',
  'charts',
  'coming',
  'composer',
  'dashboard',
  'delivery-log',
  'errors',
  'home',
  'invitations',
  'live-run',
  'marketplace',
  'media',
  'notifications',
  'post-list',
  'posts',
  'privacy',
  'runs',
  'session',
  'steps',
  'subscription',
  'system',
  'templates',
  'topics',
  'transactions',
  'validation',
  'writing',
] as const

export type Part = (typeof parts)[number]

/** What each page shows beside what all of them begin with (en.ts), by the name of its route. */
export const pageParts = {
  account: ['accounts'],
  'account-callback': ['accounts', 'steps'],
  'approval-link': ['approval-link', 'posts'],
  assistant: ['assistants', 'cards', 'live-run', 'posts'],
  assistants: ['assistants', 'live-run'],
  calendar: ['calendar', 'errors'],
  coming: ['coming'],
  composer: ['assistant-form', 'cards', 'composer', 'errors', 'media', 'posts', 'writing'],
  dashboard: ['charts', 'dashboard', 'posts', 'steps'],
  'email-verification': ['session'],
  home: ['home'],
  invitations: ['invitations'],
  marketplace: ['marketplace', 'steps'],
  'media-gallery': ['media'],
  'new-assistant': ['assistant-form', 'assistants', 'errors', 'live-run', 'media', 'posts', 'runs', 'validation'],
  'new-template': ['cards', 'errors', 'media', 'templates', 'validation'],
  'privacy-policy': ['privacy'],
  signin: ['session'],
  signup: ['session'],
  'social-media-post': ['dashboard', 'errors', 'post-list', 'posts'],
  'social-media-posts': ['post-list', 'posts'],
  subscription: ['subscription'],
  template: ['cards', 'errors', 'media', 'steps', 'templates', 'validation'],
  templates: ['templates'],
  'topic-tree': ['errors', 'steps', 'topics', 'validation'],
  topics: ['topics'],
  transaction: ['cards', 'transactions'],
  transactions: ['cards', 'charts', 'transactions'],
  'verify-email': ['session'],
} satisfies Record<string, readonly Part[]>

/** What the frame of users shows over every page. */
export const frameParts = ['system'] satisfies readonly Part[]

/** What the command menu names: pages' own words for what they do. */
export const commandParts = [
  'account',
  'accounts',
  'assistants',
  'invitations',
  'media',
  'templates',
  'topics',
] satisfies readonly Part[]
