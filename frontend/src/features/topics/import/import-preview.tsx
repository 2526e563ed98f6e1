import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, type CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { TopicPreviewOut } from '@/api/types.gen'

const ROW = 26 // px, as in the styles
const DEEPEST = 8 // levels that are drawn as indents

/** The tree that an import would make; only the rows in view are in the page. */
export function ImportPreview({ preview, labelledBy }: { preview: TopicPreviewOut; labelledBy: string }) {
  const { t } = useTranslation(['common', 'topics'])
  const scroller = useRef<HTMLDivElement>(null)
  const more = preview.total - preview.topics.length
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing that it returns is memoised
  const virtual = useVirtualizer({
    count: preview.topics.length + (more > 0 ? 1 : 0),
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: 20,
  })
  return (
    <div ref={scroller} className="import-prev" role="region" aria-labelledby={labelledBy} tabIndex={0}>
      <ul className="ptree" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const topic = preview.topics[index]
          const depth = Math.min(topic?.depth ?? 0, DEEPEST)
          return (
            <li key={index} style={{ top: start, '--d': depth } as CSSProperties} className={topic ? 'clip' : 'dim num'}>
              {topic ? topic.title : t('topics:previewMore', { count: more })}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
