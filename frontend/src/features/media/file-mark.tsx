import { IconFileText, IconPlayerPlayFilled } from '@tabler/icons-react'
import '@/components/files.css'
import { useTranslation } from 'react-i18next'
import type { MediaOut } from '@/api/types.gen'
import { clockText } from '@/lib/clock-text'

type Marked = Pick<MediaOut, 'kind' | 'pages' | 'seconds'>

/** The mark on a tile: how many pages a document has, how long a video is; none for images. */
export function FileMark({ file: { kind, pages, seconds } }: { file: Marked }) {
  const { t } = useTranslation(['common', 'media'])
  if (kind === 'image') return null
  const Icon = kind === 'video' ? IconPlayerPlayFilled : IconFileText
  return (
    <span className="file-mark num">
      <Icon size={12} aria-hidden />
      <span className="vh">{t(`media:kindOf.${kind}`)}</span>
      {kind === 'video' ? seconds !== null && clockText(seconds) : pages !== null && t('media:pages', { count: pages })}
    </span>
  )
}
