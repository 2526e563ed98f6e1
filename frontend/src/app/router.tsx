import { createElement, type ReactElement } from 'react'
import { Outlet, useLoaderData, type LoaderFunctionArgs, type RouteObject } from 'react-router'
import { VerifiedOnly } from '@/features/users/session/verified-only'
import { paths } from '@/lib/paths'
import { ErrorScreen } from './error-screen'
import { Frame } from './frame'
import { NotFound } from '@/components/not-found'
import { Root } from './root'
import { FRAME, frameLoader, requireNoToken, requireToken, signedIn } from './session-loaders'

/** `shouldRevalidate` of loaders that check the token on every navigation, not only when their own path changes. */
const always = () => true

async function startPage(): Promise<ReactElement> {
  if (signedIn()) {
    const { DashboardRoute } = await import('@/routes/dashboard')
    return (
      <VerifiedOnly>
        <DashboardRoute />
      </VerifiedOnly>
    )
  }
  const { HomeRoute } = await import('@/routes/home')
  return <HomeRoute />
}

/** Return a post's page: with `?decide`, from a mail's link, the public approval page; else the page for users. */
async function postPage(args: LoaderFunctionArgs): Promise<ReactElement> {
  if (args.url.searchParams.has('decide')) {
    const [{ ApprovalLinkRoute }] = await Promise.all([
      import('@/routes/approval-link'),
      // styles of the users' frame that this page needs: facts and the preview
      import('./styles/templates.css'),
      import('./styles/posts.css'),
    ])
    return <ApprovalLinkRoute />
  }
  requireToken(args)
  const { PostRoute } = await import('@/routes/social-media-post')
  return (
    <VerifiedOnly>
      <PostRoute />
    </VerifiedOnly>
  )
}

interface TwoPages {
  path: string
  page: () => Promise<ReactElement>
  otherPage: () => Promise<ReactElement>
  /** Return the query's value that opens the other page, or null. */
  queryValue: (query: URLSearchParams) => string | null
  /** Fetch the other page's data while its code is loading. */
  data?: (args: LoaderFunctionArgs) => Promise<unknown>
}

/**
 * Return the route of two pages at one path: a list, and the page that the query opens in its place. Each loads its own
 * code; until it is loaded the current page stays.
 */
const twoPages = ({ path, page, otherPage, queryValue, data }: TwoPages): RouteObject => ({
  path,
  loader: async (args) => {
    const opensOther = queryValue(args.url.searchParams) !== null
    const [element] = await Promise.all([(opensOther ? otherPage : page)(), opensOther && data?.(args)])
    return element
  },
  shouldRevalidate: ({ currentUrl, nextUrl }) => queryValue(currentUrl.searchParams) !== queryValue(nextUrl.searchParams),
  Component: () => useLoaderData<ReactElement>(),
})

/** The page of an article, used by two paths: among all articles, and below its website. */
const articlePage = async () => ({ Component: (await import('@/routes/article')).ArticleRoute })

const visitors: RouteObject[] = [
  { path: paths.signIn, lazy: async () => ({ Component: (await import('@/routes/signin')).SignInRoute }) },
  { path: paths.signUp, lazy: async () => ({ Component: (await import('@/routes/signup')).SignUpRoute }) },
]

const everyone: RouteObject[] = [
  { path: paths.root, loader: startPage, shouldRevalidate: always, Component: () => useLoaderData<ReactElement>() },
  { path: paths.post, loader: postPage, shouldRevalidate: always, Component: () => useLoaderData<ReactElement>() },
  {
    path: paths.privacyPolicy,
    lazy: async () => ({ Component: (await import('@/routes/privacy-policy')).PrivacyPolicyRoute }),
  },
  {
    path: paths.verifyEmail,
    lazy: async () => ({ Component: (await import('@/routes/verify-email')).VerifyEmailRoute }),
  },
]

/** Pages that work before the e-mail is verified. */
const users: RouteObject[] = [
  {
    path: paths.emailVerification,
    lazy: async () => ({ Component: (await import('@/routes/email-verification')).EmailVerificationRoute }),
  },
]

const verified: RouteObject[] = [
  { path: paths.account, lazy: async () => ({ Component: (await import('@/routes/account')).AccountRoute }) },
  twoPages({
    path: paths.templates,
    queryValue: (query) => query.get('new'),
    page: async () => createElement((await import('@/routes/templates')).TemplatesRoute),
    otherPage: async () => createElement((await import('@/routes/new-template')).NewTemplateRoute),
  }),
  { path: paths.template, lazy: async () => ({ Component: (await import('@/routes/template')).TemplateRoute }) },
  {
    path: paths.marketplace,
    lazy: async () => ({ Component: (await import('@/routes/marketplace')).MarketplaceRoute }),
  },
  twoPages({
    path: paths.posts,
    queryValue: (query) => query.get('compose') || null,
    page: async () => createElement((await import('@/routes/social-media-posts')).PostsRoute),
    otherPage: async () => createElement((await import('@/routes/composer')).ComposerRoute),
  }),
  twoPages({
    path: paths.topics,
    queryValue: (query) => query.get('tree') || null,
    data: async (args) => (await import('@/routes/topics-data')).loadTopicTree(args),
    page: async () => createElement((await import('@/routes/topics')).TopicsRoute),
    otherPage: async () => createElement((await import('@/routes/topic-tree')).TopicTreeRoute),
  }),
  twoPages({
    path: paths.assistants,
    queryValue: (query) => query.get('new'),
    page: async () => createElement((await import('@/routes/assistants')).AssistantsRoute),
    otherPage: async () => createElement((await import('@/routes/new-assistant')).NewAssistantRoute),
  }),
  { path: paths.assistant, lazy: async () => ({ Component: (await import('@/routes/assistant')).AssistantRoute }) },
  {
    path: paths.calendar,
    lazy: async () => ({ Component: (await import('@/routes/calendar')).CalendarRoute }),
  },
  {
    path: paths.mediaGallery,
    lazy: async () => ({ Component: (await import('@/routes/media-gallery')).MediaGalleryRoute }),
  },
  {
    path: paths.accountCallback,
    lazy: async () => ({ Component: (await import('@/routes/account-callback')).AccountCallbackRoute }),
  },
  {
    path: paths.invitations,
    lazy: async () => ({ Component: (await import('@/routes/invitations')).InvitationsRoute }),
  },
  {
    path: paths.subscription,
    lazy: async () => ({ Component: (await import('@/routes/subscription')).SubscriptionRoute }),
  },
  {
    path: paths.transactions,
    lazy: async () => ({ Component: (await import('@/routes/transactions')).TransactionsRoute }),
  },
  {
    path: paths.transaction,
    lazy: async () => ({ Component: (await import('@/routes/transaction')).TransactionRoute }),
  },
  twoPages({
    path: paths.articles,
    queryValue: (query) => query.get('new'),
    page: async () => createElement((await import('@/routes/articles')).ArticlesRoute),
    otherPage: async () => createElement((await import('@/routes/new-article')).NewArticleRoute),
  }),
  { path: paths.article, lazy: articlePage },
  { path: paths.websites, lazy: async () => ({ Component: (await import('@/routes/websites')).WebsitesRoute }) },
  { path: paths.website, lazy: async () => ({ Component: (await import('@/routes/website')).WebsiteRoute }) },
  { path: paths.websiteArticle, lazy: articlePage },
  { path: paths.websiteTopics, lazy: async () => ({ Component: (await import('@/routes/website-topics')).WebsiteTopicsRoute }) },
]

function VerifiedPages() {
  return (
    <VerifiedOnly>
      <Outlet />
    </VerifiedOnly>
  )
}

export const routes: RouteObject[] = [
  {
    Component: Root,
    ErrorBoundary: ErrorScreen,
    // render nothing until the first page is loaded
    HydrateFallback: () => null,
    children: [
      {
        id: FRAME,
        loader: frameLoader,
        shouldRevalidate: always,
        Component: Frame,
        children: [
          {
            // an error in a page keeps its frame
            ErrorBoundary: ErrorScreen,
            children: [
              { middleware: [requireNoToken], children: visitors },
              {
                middleware: [requireToken],
                children: [...users, { Component: VerifiedPages, children: verified }],
              },
              ...everyone,
              { path: '*', Component: NotFound },
            ],
          },
        ],
      },
    ],
  },
]
