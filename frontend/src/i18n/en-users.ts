import { account } from './texts/account.en'
import { accounts } from './texts/accounts.en'
import { assistantForm } from './texts/assistant-form.en'
import { assistants, cron } from './texts/assistants.en'
import { cards } from './texts/cards.en'
import { coming } from './texts/coming.en'
import { dashboard } from './texts/dashboard.en'
import { invitations } from './texts/invitations.en'
import { liveRun } from './texts/live-run.en'
import { marketplace } from './texts/marketplace.en'
import { media } from './texts/media.en'
import { posts } from './texts/posts.en'
import { runs } from './texts/runs.en'
import { subscription } from './texts/subscription.en'
import { templates } from './texts/templates.en'
import { topics } from './texts/topics.en'
import { system } from './texts/system.en'
import { validation } from './texts/validation.en'

/** What only who is signed in gets to read. */
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
}
