/** Every address of the app, as patterns; `generatePath(paths.assistant, { assistantId })` fills one. */
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

/** Where to ask for a mail that sets a new password. */
export const forgotPath = `${paths.signIn}?forgot`

/** Where the address and the password of the account are changed. */
export const profilePath = `${paths.account}?tab=profile`

/** What waits for an answer; `&post=` names one of them. */
export const approvalsPath = `${paths.posts}?tab=approvals`

/** The login page that leads back to where the visitor wanted to go. */
export function signInPath(target: { pathname: string; search: string }): string {
  // what a site hands out there is for nobody's history
  const handed = target.pathname.startsWith('/account/connect/')
  const next = target.pathname + (handed ? '' : target.search)
  // the link of a mail works once: coming back to it would only fail
  const noWayBack = next === paths.root || target.pathname === paths.verifyEmail
  return noWayBack ? paths.signIn : `${paths.signIn}?next=${encodeURIComponent(next)}`
}

/** Where to go after the login: `?next=` if it stays in this app, else the root. */
export function nextPath(search: string): string {
  const next = new URLSearchParams(search).get('next')
  if (!next) return paths.root
  // the browser's own parser decides, since `//host` and `/\host` lead elsewhere too
  const url = URL.parse(next, location.origin)
  if (!next.startsWith('/') || url?.origin !== location.origin) return paths.root
  const path = url.pathname + url.search + url.hash
  // of `/.//host` the parser takes the dot out, and what is left would lead elsewhere
  return path.startsWith('//') ? paths.root : path
}
