import { useTranslation } from 'react-i18next'
import type { FileOut } from '@/api/types.gen'
import { PageSwipe } from './page-swipe'

export type ShownDocument = Pick<FileOut, 'thumbnail_url' | 'page_url' | 'pages' | 'width' | 'height'>

/** The pages of a document, to be leafed through. */
export function DocumentPages({ file: { thumbnail_url, page_url, pages, width, height } }: { file: ShownDocument }) {
  const { t } = useTranslation()
  const count = page_url ? (pages ?? 1) : 1
  const urlOf = (page: number) => page_url?.replace('{page}', String(page)) ?? thumbnail_url
  return (
    <PageSwipe
      pages={Array.from({ length: count }, (_, index) => ({
        media_id: String(index),
        url: urlOf(index + 1),
        alt: t('files.pageOf', { page: index + 1, count }),
        width,
        height,
      }))}
    />
  )
}
