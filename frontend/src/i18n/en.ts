import { account } from './texts/account.en'
import { accounts } from './texts/accounts.en'
import { assistantForm } from './texts/assistant-form.en'
import { assistants, cron } from './texts/assistants.en'
import { cards } from './texts/cards.en'
import { coming } from './texts/coming.en'
import { common } from './texts/common.en'
import { dashboard } from './texts/dashboard.en'
import { errors, errorVariants, retries } from './texts/errors.en'
import { home } from './texts/home.en'
import { invitations } from './texts/invitations.en'
import { liveRun } from './texts/live-run.en'
import { marketplace } from './texts/marketplace.en'
import { media } from './texts/media.en'
import { navigation } from './texts/navigation.en'
import { posts } from './texts/posts.en'
import { privacy } from './texts/privacy.en'
import { runs } from './texts/runs.en'
import { session } from './texts/session.en'
import { status } from './texts/status.en'
import { subscription } from './texts/subscription.en'
import { templates } from './texts/templates.en'
import { topics } from './texts/topics.en'
import { system } from './texts/system.en'
import { validation } from './texts/validation.en'

/** The English texts decide which keys exist: a German one that is missing does not compile. */
export const en = {
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
}
