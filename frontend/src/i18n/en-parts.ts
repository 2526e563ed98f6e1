import { account } from './texts/account.en'
import { accounts } from './texts/accounts.en'
import { approvalLink } from './texts/approval-link.en'
import { assistantForm } from './texts/assistant-form.en'
import { assistants, cron } from './texts/assistants.en'
import { calendar } from './texts/calendar.en'
import { cards } from './texts/cards.en'
import { charts } from './texts/charts.en'
import { coming } from './texts/coming.en'
import { composer } from './texts/composer.en'
import { dashboard } from './texts/dashboard.en'
import { deliveryLog } from './texts/delivery-log.en'
import { errors, errorVariants, retries } from './texts/errors.en'
import { home } from './texts/home.en'
import { invitations } from './texts/invitations.en'
import { liveRun } from './texts/live-run.en'
import { marketplace } from './texts/marketplace.en'
import { media } from './texts/media.en'
import { notifications } from './texts/notifications.en'
import { posts as postList } from './texts/post-list.en'
import { posts } from './texts/posts.en'
import { privacy } from './texts/privacy.en'
import { runs } from './texts/runs.en'
import { session } from './texts/session.en'
import { dashboard as steps } from './texts/steps.en'
import { subscription } from './texts/subscription.en'
import { system } from './texts/system.en'
import { templates } from './texts/templates.en'
import { topics } from './texts/topics.en'
import { transactions } from './texts/transactions.en'
import { validation } from './texts/validation.en'
import { writing } from './texts/writing.en'

/** What comes with the pages that show it, one part at a time (parts.ts): as one for types and tests only. */
export const parts = {
  account,
  accounts,
  approvalLink,
  assistantForm,
  assistants,
  cron,
  calendar,
  cards,
  charts,
  coming,
  composer,
  dashboard: { ...dashboard, ...steps },
  deliveryLog,
  errors,
  errorVariants,
  retries,
  home,
  invitations,
  liveRun,
  marketplace,
  media,
  notifications,
  posts: { ...posts, ...postList },
  privacy,
  runs,
  session,
  subscription,
  system,
  templates,
  topics,
  transactions,
  validation,
  writing,
}
