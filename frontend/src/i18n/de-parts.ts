import type { parts as en } from './en-parts'
import type { Shape } from './shape'
import { account } from './texts/account.de'
import { accounts } from './texts/accounts.de'
import { announcing } from './texts/announcing.de'
import { approvalLink } from './texts/approval-link.de'
import { articleEditor } from './texts/article-editor.de'
import { articleSite } from './texts/article-site.de'
import { articleWriter } from './texts/article-writer.de'
import { articleWriting } from './texts/article-writing.de'
import { articles } from './texts/articles.de'
import { assistantForm, assistants as assistantsInForm } from './texts/assistant-form.de'
import { assistantForm as assistantSections } from './texts/assistant-sections.de'
import { liveRun as runWords, assistants as assistantWords, cron } from './texts/assistant-words.de'
import { assistants } from './texts/assistants.de'
import { calendar } from './texts/calendar.de'
import { cards as cardWords } from './texts/card-words.de'
import { writing as cardWriting } from './texts/card-writing.de'
import { cards } from './texts/cards.de'
import { charts } from './texts/charts.de'
import { composer } from './texts/composer.de'
import { dashboard } from './texts/dashboard.de'
import { posts as decisions, dashboard as decisionsAtStart } from './texts/decisions.de'
import { posts as deliveries } from './texts/deliveries.de'
import { deliveryLog } from './texts/delivery-log.de'
import { drafts } from './texts/drafts.de'
import { errors, errorVariants, retries } from './texts/errors.de'
import { errors as fieldErrors, errorVariants as fieldErrorVariants } from './texts/field-errors.de'
import { home } from './texts/home.de'
import { invitations } from './texts/invitations.de'
import { linkFields } from './texts/link-fields.de'
import { assistants as assistantPage, liveRun } from './texts/live-run.de'
import { marketplace } from './texts/marketplace.de'
import { media } from './texts/media.de'
import { notifications } from './texts/notifications.de'
import { liveRun as occurrences } from './texts/occurrences.de'
import { media as ownImages } from './texts/own-images.de'
import { media as pictures } from './texts/pictures.de'
import { postImport } from './texts/post-import.de'
import { posts as postList } from './texts/post-list.de'
import { posts as postOutcomes } from './texts/post-outcomes.de'
import { posts as postPage } from './texts/post-page.de'
import { posts as postPreview } from './texts/post-preview.de'
import { posts as postRemoval } from './texts/post-removal.de'
import { posts as postTabs } from './texts/post-tabs.de'
import { posts as postWords } from './texts/post-words.de'
import { posts } from './texts/posts.de'
import { privacy } from './texts/privacy.de'
import { runs } from './texts/runs.de'
import { sitePage } from './texts/site-page.de'
import { session } from './texts/session.de'
import { liveRun as steering } from './texts/steering.de'
import { dashboard as steps } from './texts/steps.de'
import { subscription } from './texts/subscription.de'
import { system } from './texts/system.de'
import { templates as templateEditor } from './texts/template-editor.de'
import { templates as templateSettings } from './texts/template-settings.de'
import { templates as templateVersions } from './texts/template-versions.de'
import { templates } from './texts/templates.de'
import { runs as textFacts } from './texts/text-facts.de'
import { topics } from './texts/topics.de'
import { transactions } from './texts/transactions.de'
import { templates as tryouts } from './texts/tryouts.de'
import { media as uploads } from './texts/uploads.de'
import { validation } from './texts/validation.de'
import { websites } from './texts/websites.de'
import { writingPlan } from './texts/writing-plan.de'
import { writing } from './texts/writing.de'

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
} satisfies Shape<typeof en>
