import { UnstyledButton } from '@mantine/core'
import { IconPlayerPlayFilled } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { FileOut } from '@/api/types.gen'
import { useLanguage } from '@/i18n/locale'
import { clockText } from '@/lib/clock-text'
import './files.css'

export type ShownVideo = Pick<FileOut, 'url' | 'thumbnail_url' | 'cover_url' | 'seconds' | 'width' | 'height' | 'alt'>

/** A video with its cover and a play mark. Nothing of the video is loaded before it is played. */
export function VideoPlayer({ file: { url, thumbnail_url, cover_url, seconds, width, height, alt }, name }: { file: ShownVideo; name: string }) {
  const { t } = useTranslation()
  const language = useLanguage()
  const [isPlaying, setIsPlaying] = useState(false)
  const shape = { aspectRatio: width / height }
  if (isPlaying)
    return <video className="video" style={shape} src={url} controls autoPlay playsInline aria-label={alt || name} />
  return (
    <div className="video" style={shape}>
      <img src={cover_url ?? thumbnail_url} alt={alt} width={width} height={height} />
      <UnstyledButton className="video-play" lang={language} aria-label={t('files.play', { name })} onClick={() => setIsPlaying(true)}>
        <span>
          <IconPlayerPlayFilled size={24} aria-hidden />
        </span>
      </UnstyledButton>
      {seconds !== null && <span className="file-mark num">{clockText(seconds)}</span>}
    </div>
  )
}
