import type { users as en } from './en-users'
import type { Shape } from './shape'
import { account } from './texts/account.de'
import { accounts } from './texts/accounts.de'
import { assistantForm } from './texts/assistant-form.de'
import { assistants, cron } from './texts/assistants.de'
import { cards } from './texts/cards.de'
import { coming } from './texts/coming.de'
import { dashboard } from './texts/dashboard.de'
import { invitations } from './texts/invitations.de'
import { liveRun } from './texts/live-run.de'
import { marketplace } from './texts/marketplace.de'
import { media } from './texts/media.de'
import { posts } from './texts/posts.de'
import { runs } from './texts/runs.de'
import { subscription } from './texts/subscription.de'
import { templates } from './texts/templates.de'
import { topics } from './texts/topics.de'
import { system } from './texts/system.de'
import { validation } from './texts/validation.de'

export const users = {
  account,
  accounts,
  assistantForm,
  assistants,
  cron,
  cards,
  coming,
  dashboard,
  invitations,
  liveRun,
  marketplace,
  media,
  posts,
  runs,
  subscription,
  templates,
  topics,
  system,
  validation,
} satisfies Shape<typeof en>
