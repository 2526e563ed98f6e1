import type { en } from './en'
import type { Shape } from './shape'
import { account } from './texts/account.de'
import { accounts } from './texts/accounts.de'
import { assistantForm } from './texts/assistant-form.de'
import { assistants, cron } from './texts/assistants.de'
import { cards } from './texts/cards.de'
import { coming } from './texts/coming.de'
import { common } from './texts/common.de'
import { dashboard } from './texts/dashboard.de'
import { errors, errorVariants, retries } from './texts/errors.de'
import { home } from './texts/home.de'
import { invitations } from './texts/invitations.de'
import { liveRun } from './texts/live-run.de'
import { marketplace } from './texts/marketplace.de'
import { media } from './texts/media.de'
import { navigation } from './texts/navigation.de'
import { posts } from './texts/posts.de'
import { privacy } from './texts/privacy.de'
import { runs } from './texts/runs.de'
import { session } from './texts/session.de'
import { status } from './texts/status.de'
import { subscription } from './texts/subscription.de'
import { templates } from './texts/templates.de'
import { topics } from './texts/topics.de'
import { system } from './texts/system.de'
import { validation } from './texts/validation.de'

export const de = {
  account,
  accounts,
  assistantForm,
  assistants,
  cards,
  coming,
  common,
  cron,
  dashboard,
  errors,
  errorVariants,
  home,
  invitations,
  liveRun,
  marketplace,
  media,
  navigation,
  posts,
  privacy,
  retries,
  runs,
  session,
  status,
  subscription,
  templates,
  topics,
  system,
  validation,
} satisfies Shape<typeof en>
