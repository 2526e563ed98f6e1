import { createElement, useMemo, type ReactNode } from 'react'
import './rendered-html.css'

/**
 * The allowed elements and what each is rendered as: headings are one level lower, since the title above is an h2.
 * The HTML is never inserted into the page: it is parsed separately and rendered from these names only.
 */
const SHOWN: Partial<Record<string, string>> = {
  ...Object.fromEntries(
    'p br hr em strong s blockquote code pre ul ol li table thead tbody tr th td'.split(' ').map((name) => [name, name]),
  ),
  h1: 'h3',
  h2: 'h3',
  h3: 'h4',
  h4: 'h5',
  h5: 'h6',
  h6: 'h6',
}
const EMPTY = ['br', 'hr']
const LINK = /^(https?:|mailto:|tel:)/i
const ALIGNED = /^(left|center|right)$/

/** HTML that the server made from Markdown. */
export function RenderedHtml({ html }: { html: string }) {
  return useMemo(() => childrenOf(new DOMParser().parseFromString(html, 'text/html').body), [html])
}

const childrenOf = (node: Node): ReactNode[] => [...node.childNodes].map(drawn)

function drawn(node: ChildNode, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent
  if (!(node instanceof Element)) return null
  const name = node.localName
  if (name === 'img') {
    const source = node.getAttribute('src') ?? ''
    return <img key={key} src={source} alt={node.getAttribute('alt') ?? ''} loading="lazy" />
  }
  if (name === 'a') {
    const to = node.getAttribute('href') ?? ''
    if (!LINK.test(to)) return <span key={key}>{childrenOf(node)}</span>
    return (
      <a key={key} className="link" href={to} target="_blank" rel="noopener noreferrer">
        {childrenOf(node)}
      </a>
    )
  }
  const shown = SHOWN[name]
  if (!shown) return <span key={key}>{childrenOf(node)}</span>
  if (EMPTY.includes(name)) return createElement(shown, { key })
  const align = name === 'td' || name === 'th' ? (node as HTMLElement).style.textAlign : ''
  const start = name === 'ol' ? Number(node.getAttribute('start')) : 0
  // tables and lists have only line breaks between their parts, which React does not accept there
  const children = /^(table|thead|tbody|tr|ul|ol)$/.test(name) ? [...node.children].map(drawn) : childrenOf(node)
  return createElement(
    shown,
    { key, ...(ALIGNED.test(align) && { style: { textAlign: align } }), ...(start > 1 && { start }) },
    ...children,
  )
}
