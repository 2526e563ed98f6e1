import { ActionIcon, Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight, IconPhotoOff } from '@tabler/icons-react'
import { useRef, useState, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import { useLanguage } from '@/i18n/locale'
import './page-swipe.css'

export interface SwipedPage {
  media_id: string
  url: string
  alt: string
  width: number
  height: number
}

interface PageSwipeProps {
  pages: readonly SwipedPage[]
  /** Width by height of all pages; else that of the first one. */
  ratio?: number
}

/** Pages that are swiped through one at a time: by finger, by the arrow keys, or by buttons. */
export function PageSwipe({ pages, ratio }: PageSwipeProps) {
  const { t } = useTranslation('common')
  const language = useLanguage()
  const list = useRef<HTMLUListElement>(null)
  const [shown, setShown] = useState(0)
  const [first] = pages
  if (!first) return null
  const at = Math.min(shown, pages.length - 1)
  const go = (to: number) => {
    setShown(to)
    if (list.current) list.current.scrollTo({ left: to * list.current.clientWidth })
  }
  const style: CSSProperties = { aspectRatio: ratio ?? first.width / first.height }
  return (
    <div className="swipe">
      <ul
        ref={list}
        className="swipe-pages"
        // the browser scrolls what has the focus by the arrow keys
        tabIndex={0}
        aria-label={t('swipe.label', { count: pages.length })}
        lang={language}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => {
          if (clientWidth > 0) setShown(Math.round(scrollLeft / clientWidth))
        }}
      >
        {pages.map((page, index) => (
          <li key={page.media_id}>
            <Page page={page} style={style} lazy={index > 0} onRetry={() => list.current?.focus()} />
          </li>
        ))}
      </ul>
      <span className="swipe-count num" aria-hidden>
        {at + 1}/{pages.length}
      </span>
      {at > 0 && (
        <ActionIcon className="swipe-step" data-back variant="default" radius="xl" aria-label={t('swipe.back')} onClick={() => go(at - 1)}>
          <IconChevronLeft size={18} aria-hidden />
        </ActionIcon>
      )}
      {at < pages.length - 1 && (
        <ActionIcon className="swipe-step" variant="default" radius="xl" aria-label={t('swipe.next')} onClick={() => go(at + 1)}>
          <IconChevronRight size={18} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )
}

interface PageProps {
  page: SwipedPage
  style: CSSProperties
  lazy: boolean
  onRetry: () => void
}

/** The image of a page. One that could not be loaded says so, and is asked for again by a button. */
function Page({ page: { url, alt, width, height }, style, lazy, onRetry }: PageProps) {
  const { t } = useTranslation('common')
  const [missing, setMissing] = useState<string>()
  if (missing !== url)
    return <img src={url} alt={alt} width={width} height={height} style={style} loading={lazy ? 'lazy' : undefined} onError={() => setMissing(url)} />
  return (
    <div className="swipe-missing" style={style} role="group" aria-label={alt}>
      <IconPhotoOff size={20} stroke={1.6} aria-hidden />
      {t('swipe.missing')}
      <Button
        size="xs"
        variant="default"
        onClick={() => {
          setMissing(undefined)
          onRetry()
        }}
      >
        {t('tryAgain')}
      </Button>
    </div>
  )
}
