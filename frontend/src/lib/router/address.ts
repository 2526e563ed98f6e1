export interface Path {
  pathname: string
  /** With its `?`, or empty. */
  search: string
  /** With its `#`, or empty. */
  hash: string
}

/** An entry of the history. */
export interface Location extends Path {
  /** What whoever led here left with it. */
  state: unknown
  /** Tells two visits of one address apart; `default` where the tab began. */
  key: string
}

/** An address of this app that begins with `/`, or with `?` for the page that is shown. What is left out is empty. */
export type To = string | Partial<Path>

export type Params = Record<string, string | undefined>

type ParamOf<Part extends string> = Part extends `:${infer Name}` ? Name : never
type ParamsOf<Pattern extends string> = Pattern extends `${infer Part}/${infer Rest}` ? ParamOf<Part> | ParamsOf<Rest> : ParamOf<Pattern>

/** Where something leads, seen from an address; written as the browser writes it. */
export function resolve(to: To, from: Path): Path {
  const text = typeof to === 'string' ? to : createPath({ pathname: from.pathname, ...to })
  const { pathname, search, hash } = new URL(text, location.origin + from.pathname)
  return { pathname, search, hash }
}

const begun = (part: string | undefined, mark: string) => (!part || part.startsWith(mark) ? (part ?? '') : mark + part)

export function createPath({ pathname = '/', search, hash }: Partial<Path>): string {
  return pathname + begun(search, '?') + begun(hash, '#')
}

/** Fills a pattern: `/posts/:postId`. */
export function generatePath<Pattern extends string>(
  pattern: Pattern,
  params: Record<ParamsOf<Pattern>, string | number>,
): string {
  return pattern.replace(/:(\w+)/g, (_, name: ParamsOf<Pattern>) => encodeURIComponent(params[name]))
}

const segments = (path: string) => path.replace(/^\/+|\/+$/g, '').split('/')

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment // no text that somebody encoded: it is what it is
  }
}

/** What a pattern finds in an address, which may end with a slash and be written in capitals; none where it does not fit. */
export function matchPath(pattern: string, pathname: string): Params | null {
  if (pattern === '*') return {}
  const wanted = segments(pattern)
  const given = segments(pathname)
  const params: Params = {}
  const fits = wanted.every((part, index) => {
    const segment = given[index]
    if (!part.startsWith(':')) return segment?.toLowerCase() === part.toLowerCase()
    params[part.slice(1)] = segment && decoded(segment)
    return Boolean(segment)
  })
  return fits && wanted.length === given.length ? params : null
}
