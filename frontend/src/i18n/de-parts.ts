import type { parts as en } from './en-parts'
import type { Shape } from './shape'
import { account } from './texts/account.de'
import { accounts } from './texts/accounts.de'
import { approvalLink } from './texts/approval-link.de'
import { assistantForm } from './texts/assistant-form.de'
import { assistants, cron } from './texts/assistants.de'
import { calendar } from './texts/calendar.de'
import { cards } from './texts/cards.de'
import { charts } from './texts/charts.de'
import { coming } from './texts/coming.de'
import { composer } from './texts/composer.de'
import { dashboard } from './texts/dashboard.de'
import { deliveryLog } from './texts/delivery-log.de'
import { errors, errorVariants, retries } from './texts/errors.de'
import { home } from './texts/home.de'
import { invitations } from './texts/invitations.de'
import { liveRun } from './texts/live-run.de'
import { marketplace } from './texts/marketplace.de'
import { media } from './texts/media.de'
import { notifications } from './texts/notifications.de'
import { posts as postList } from './texts/post-list.de'
import { posts } from './texts/posts.de'
import { privacy } from './texts/privacy.de'
import { runs } from './texts/runs.de'
import { session } from './texts/session.de'
import { dashboard as steps } from './texts/steps.de'
import { subscription } from './texts/subscription.de'
import { system } from './texts/system.de'
import { templates } from './texts/templates.de'
import { topics } from './texts/topics.de'
import { transactions } from './texts/transactions.de'
import { validation } from './texts/validation.de'
import { writing } from './texts/writing.de'

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
} satisfies Shape<typeof en>
