/** All paths of the app as patterns; `generatePath(paths.assistant, { assistantId })` fills one. */
export const paths = {
  root: '/',
  signIn: '/signin',
  signUp: '/signup',
  privacyPolicy: '/privacy-policy',
  verifyEmail: '/verify-email',
  emailVerification: '/email-verification',
  templates: '/templates',
  template: '/templates/:templateId',
  marketplace: '/marketplace',
  calendar: '/calendar',
  account: '/account',
  accountCallback: '/account/connect/:provider/callback',
  invitations: '/invitations',
  topics: '/topics',
  articles: '/posts',
  article: '/posts/:postId',
  mediaGallery: '/media-gallery',
  assistants: '/assistants',
  assistant: '/assistants/:assistantId',
  posts: '/social-media-posts',
  post: '/social-media-posts/:socialMediaPostId',
  websites: '/websites',
  website: '/websites/:websiteId',
  websiteArticle: '/websites/:websiteId/posts/:postId',
  websiteTopics: '/websites/:websiteId/topics',
  transactions: '/transactions',
  transaction: '/transactions/:transactionId',
  subscription: '/subscription',
} as const

/** The page that requests a mail to reset the password. */
export const forgotPath = `${paths.signIn}?forgot`

/** The page that changes the account's e-mail address and password. */
export const profilePath = `${paths.account}?tab=profile`

/** The list of posts that wait for approval; `&post=` selects one. */
export const approvalsPath = `${paths.posts}?tab=approvals`

/** Return the path to the login page that leads back to `target` afterwards. */
export function signInPath(target: { pathname: string; search: string }): string {
  // a site passes credentials in this query, which must not get into the history
  const hasCredentials = target.pathname.startsWith('/account/connect/')
  const next = target.pathname + (hasCredentials ? '' : target.search)
  // the link of a mail works only once
  const noWayBack = next === paths.root || target.pathname === paths.verifyEmail
  return noWayBack ? paths.signIn : `${paths.signIn}?next=${encodeURIComponent(next)}`
}

/** Return the path to open after the login: `?next=` if it is inside this app, else the root. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (!next) return paths.root
  // use the browser's own parser, since `//host` and `/\host` lead to other hosts too
  const url = URL.parse(next, location.origin)
  if (!next.startsWith('/') || url?.origin !== location.origin) return paths.root
  const path = url.pathname + url.search + url.hash
  // the parser turns `/.//host` into `//host`, which leads to another host
  return path.startsWith('//') ? paths.root : path
}
