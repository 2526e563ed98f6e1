import { ActionIcon } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileOut } from '@/api/types.gen'
import { useLanguage } from '@/i18n/locale'
import './files.css'

export type ShownDocument = Pick<FileOut, 'thumbnail_url' | 'page_url' | 'pages' | 'width' | 'height'>

/** The pages of a document side by side, to be leafed through by swiping, buttons or arrow keys. */
export function DocumentPages({ file: { thumbnail_url, page_url, pages, width, height }, name }: { file: ShownDocument; name: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [page, setPage] = useState(1)
  const strip = useRef<HTMLDivElement>(null)
  const count = page_url ? Math.max(pages ?? 1, 1) : 1
  const goTo = (next: number) => {
    const at = Math.min(Math.max(next, 1), count)
    setPage(at)
    strip.current?.children[at - 1]?.scrollIntoView({ block: 'nearest', inline: 'start' })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const steps: Partial<Record<string, number>> = { ArrowLeft: page - 1, ArrowRight: page + 1, Home: 1, End: count }
    const next = steps[event.key]
    if (next === undefined) return
    event.preventDefault()
    goTo(next)
  }
  return (
    <div className="doc" role="group" aria-roledescription={t('files.document')} aria-label={name} lang={language}>
      <div
        className="doc-strip"
        ref={strip}
        tabIndex={0}
        role="group"
        aria-label={t('files.pageOf', { page, count })}
        onKeyDown={onKeyDown}
        onScroll={({ currentTarget: { scrollLeft, clientWidth } }) => {
          if (clientWidth > 0) setPage(Math.min(Math.round(scrollLeft / clientWidth) + 1, count))
        }}
      >
        {Array.from({ length: count }, (_, index) => (
          <img
            key={index}
            src={page_url ? page_url.replace('{page}', String(index + 1)) : thumbnail_url}
            alt={t('files.pageOf', { page: index + 1, count })}
            // the others are reached by the buttons, and would be read one after the other
            aria-hidden={index + 1 !== page || undefined}
            width={width}
            height={height}
            loading={index < 2 ? 'eager' : 'lazy'}
            decoding="async"
            draggable={false}
          />
        ))}
      </div>
      <div className="doc-bar">
        <ActionIcon variant="subtle" aria-label={t('files.pageBefore')} disabled={page === 1} onClick={() => goTo(page - 1)}>
          <IconChevronLeft size={17} aria-hidden />
        </ActionIcon>
        <span className="num" role="status" aria-label={t('files.pageOf', { page, count })}>
          {page} / {Math.max(pages ?? count, count)}
        </span>
        <ActionIcon variant="subtle" aria-label={t('files.pageAfter')} disabled={page === count} onClick={() => goTo(page + 1)}>
          <IconChevronRight size={17} aria-hidden />
        </ActionIcon>
      </div>
    </div>
  )
}
