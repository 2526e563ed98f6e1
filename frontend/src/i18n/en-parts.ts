import { account } from './texts/account.en'
import { accounts } from './texts/accounts.en'
import { announcing } from './texts/announcing.en'
import { approvalLink } from './texts/approval-link.en'
import { articleEditor } from './texts/article-editor.en'
import { articleSite } from './texts/article-site.en'
import { articleWriter } from './texts/article-writer.en'
import { articleWriting } from './texts/article-writing.en'
import { articles } from './texts/articles.en'
import { assistantForm, assistants as assistantsInForm } from './texts/assistant-form.en'
import { assistantForm as assistantSections } from './texts/assistant-sections.en'
import { liveRun as runWords, assistants as assistantWords, cron } from './texts/assistant-words.en'
import { assistants } from './texts/assistants.en'
import { calendar } from './texts/calendar.en'
import { cards as cardWords } from './texts/card-words.en'
import { writing as cardWriting } from './texts/card-writing.en'
import { cards } from './texts/cards.en'
import { charts } from './texts/charts.en'
import { composer } from './texts/composer.en'
import { dashboard } from './texts/dashboard.en'
import { posts as decisions, dashboard as decisionsAtStart } from './texts/decisions.en'
import { posts as deliveries } from './texts/deliveries.en'
import { deliveryLog } from './texts/delivery-log.en'
import { drafts } from './texts/drafts.en'
import { errors, errorVariants, retries } from './texts/errors.en'
import { errors as fieldErrors, errorVariants as fieldErrorVariants } from './texts/field-errors.en'
import { home } from './texts/home.en'
import { invitations } from './texts/invitations.en'
import { linkFields } from './texts/link-fields.en'
import { assistants as assistantPage, liveRun } from './texts/live-run.en'
import { marketplace } from './texts/marketplace.en'
import { media } from './texts/media.en'
import { notifications } from './texts/notifications.en'
import { liveRun as occurrences } from './texts/occurrences.en'
import { media as ownImages } from './texts/own-images.en'
import { media as pictures } from './texts/pictures.en'
import { postImport } from './texts/post-import.en'
import { posts as postList } from './texts/post-list.en'
import { posts as postOutcomes } from './texts/post-outcomes.en'
import { posts as postPage } from './texts/post-page.en'
import { posts as postPreview } from './texts/post-preview.en'
import { posts as postRemoval } from './texts/post-removal.en'
import { posts as postTabs } from './texts/post-tabs.en'
import { posts as postWords } from './texts/post-words.en'
import { posts } from './texts/posts.en'
import { privacy } from './texts/privacy.en'
import { runs } from './texts/runs.en'
import { sitePage } from './texts/site-page.en'
import { session } from './texts/session.en'
import { liveRun as steering } from './texts/steering.en'
import { dashboard as steps } from './texts/steps.en'
import { subscription } from './texts/subscription.en'
import { system } from './texts/system.en'
import { templates as templateEditor } from './texts/template-editor.en'
import { templates as templateSettings } from './texts/template-settings.en'
import { templates as templateVersions } from './texts/template-versions.en'
import { templates } from './texts/templates.en'
import { runs as textFacts } from './texts/text-facts.en'
import { topics } from './texts/topics.en'
import { transactions } from './texts/transactions.en'
import { templates as tryouts } from './texts/tryouts.en'
import { media as uploads } from './texts/uploads.en'
import { validation } from './texts/validation.en'
import { websites } from './texts/websites.en'
import { writingPlan } from './texts/writing-plan.en'
import { writing } from './texts/writing.en'

/** What comes with the pages that show it, one part at a time (parts.ts): as one for types and tests only. */
export const parts = {
  account,
  accounts,
  announcing,
  approvalLink,
  articleEditor,
  articleSite,
  articleWriter,
  articleWriting,
  articles,
  assistantForm: { ...assistantForm, ...assistantSections },
  assistants: { ...assistants, ...assistantWords, ...assistantsInForm, ...assistantPage },
  cron,
  calendar,
  cards: { ...cards, ...cardWords },
  charts,
  composer,
  dashboard: { ...dashboard, ...steps, ...decisionsAtStart },
  deliveryLog,
  drafts,
  errors: { ...errors, ...fieldErrors },
  errorVariants: { ...errorVariants, ...fieldErrorVariants },
  retries,
  home,
  invitations,
  linkFields,
  liveRun: { ...liveRun, ...runWords, ...steering, ...occurrences },
  marketplace,
  media: { ...media, ...pictures, ...ownImages, ...uploads },
  notifications,
  postImport,
  posts: { ...posts, ...postList, ...postOutcomes, ...postPreview, ...postRemoval, ...postTabs, ...deliveries, ...postWords, ...decisions, ...postPage },
  privacy,
  runs: { ...runs, ...textFacts },
  session,
  sitePage,
  subscription,
  system,
  templates: { ...templates, ...templateEditor, ...templateSettings, ...templateVersions, ...tryouts },
  topics,
  transactions,
  validation,
  websites,
  writingPlan,
  writing: { ...writing, ...cardWriting },
}
