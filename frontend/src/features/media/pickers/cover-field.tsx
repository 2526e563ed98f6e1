import { Button, Input, Slider } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '@/components/lazy-part'
import { useProblemText } from '@/components/use-problem-text'
import { clockText } from '@/lib/clock-text'
import { fileTitle } from '@/lib/file-title'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { toProblem } from '@/lib/problems'
import { useRefusals, useRunning } from '@/lib/running-uploads'
import { sendFile, useImagesChanged } from '@/features/media/api'
import { IMAGES_ONLY } from '@/features/media/file-kinds'
import '@/features/media/media.css'

const ImagePicker = lazyPart(async () => (await import('./image-picker')).ImagePicker)

const STEP = 0.1 // s
const QUALITY = 0.92

interface Video {
  name: string
  url: string
  thumbnail_url: string
  /** The chosen cover. */
  cover_id: string | null
  cover_url: string | null
  seconds: number | null
}

interface CoverFieldProps {
  video: Video
  /** A note below the label. */
  hint?: string | undefined
  error: ReactNode
  onChange: (coverId: string | null) => void
}

/** The image that is shown before a video plays: a frame of the video, an image of the library, or the network's choice. */
export function CoverField({ video, hint, error, onChange }: CoverFieldProps) {
  const { t } = useTranslation(['common', 'media'])
  const labelId = useId()
  const [picking, picker] = useDisclosure()
  const [choosing, frames] = useDisclosure()
  const opener = useRef<HTMLButtonElement>(null)
  const closeFrames = () => {
    frames.close()
    opener.current?.focus()
  }
  return (
    <div className="card-field" role="group" aria-labelledby={labelId}>
      <div className="field-label" id={labelId}>
        {t('media:cover.label')}
      </div>
      {hint && <p className="field-note">{hint}</p>}
      <div className="logo-row">
        <span className="logo-well cover-well">
          <img src={video.cover_url ?? video.thumbnail_url} alt="" />
        </span>
        <div className="logo-text">
          {!video.cover_id && <span className="mid">{t('media:cover.none')}</span>}
          <span className="cover-buttons">
            <Button size="xs" variant="default" ref={opener} aria-expanded={choosing} onClick={frames.toggle}>
              {t('media:cover.frame')}
            </Button>
            <Button size="xs" variant="default" onClick={picker.open}>
              {t('media:cover.gallery')}
            </Button>
            {video.cover_id && (
              <Button size="xs" variant="subtle" onClick={() => onChange(null)}>
                {t('media:cover.remove')}
              </Button>
            )}
          </span>
        </div>
      </div>
      {choosing && (
        <FrameChoice
          video={video}
          onChosen={(coverId) => {
            onChange(coverId)
            closeFrames()
          }}
          onClose={closeFrames}
        />
      )}
      {error && (
        <Input.Error mt={6} role="alert">
          {error}
        </Input.Error>
      )}
      <ImagePicker
        opened={picking}
        title={t('media:cover.label')}
        onClose={picker.close}
        onPick={({ id }) => {
          onChange(id)
          picker.close()
        }}
      />
    </div>
  )
}

interface FrameChoiceProps {
  video: Video
  onChosen: (imageId: string) => void
  onClose: () => void
}

/** The video at a moment that a slider chooses. The frame becomes an image of the library. */
function FrameChoice({ video, onChosen, onClose }: FrameChoiceProps) {
  const { t } = useTranslation(['common', 'media'])
  const textOf = useProblemText()
  const changed = useImagesChanged()
  const player = useRef<HTMLVideoElement>(null)
  const taking = useRef<AbortController>(null)
  useEffect(() => () => taking.current?.abort(), [])
  const [moment, setMoment] = useState(0)
  const [length, setLength] = useState(video.seconds ?? 0)
  const [state, setState] = useState<'loading' | 'ready' | 'unreadable'>('loading')
  const [saving, setSaving] = useState(false)
  const [problem, setProblem] = useState<string>()
  useRunning(player, saving)
  const isRefusing = useRefusals() > 0 && saving

  const take = useOneAtATime(async () => {
    const element = player.current
    if (!element) return
    const { signal } = (taking.current = new AbortController())
    setProblem(undefined)
    setSaving(true)
    try {
      const name = `${t('media:cover.name', { name: fileTitle(video.name) })}.jpg`
      const frame = new File([await frameOf(element, signal)], name, { type: 'image/jpeg' })
      const { id } = await sendFile(IMAGES_ONLY)(frame, signal, () => {})
      void changed()
      if (signal.aborted) return
      notifications.show({ message: t('media:cover.taken') })
      onChosen(id)
    } catch (error) {
      setProblem(`${t('media:cover.failed')} ${textOf(toProblem(error))}`)
    } finally {
      setSaving(false)
    }
  })
  if (state === 'unreadable')
    return (
      <p className="field-note" role="alert">
        {t('media:cover.unreadable')}
      </p>
    )
  return (
    <div className="cover-frames">
      <video
        ref={player}
        src={video.url}
        preload="auto"
        muted
        playsInline
        aria-hidden
        onLoadedMetadata={({ currentTarget }) => setLength(currentTarget.duration)}
        onLoadedData={() => setState('ready')}
        onError={() => setState('unreadable')}
      />
      <Slider
        min={0}
        max={Math.max(length, STEP)}
        step={STEP}
        value={moment}
        label={clockText}
        disabled={state !== 'ready'}
        thumbLabel={t('media:cover.moment')}
        thumbProps={{ 'aria-valuetext': clockText(moment) }}
        onChange={(next) => {
          setMoment(next)
          if (player.current) player.current.currentTime = next
        }}
      />
      <div className="cover-buttons">
        <Button size="xs" loading={saving} disabled={state !== 'ready'} onClick={() => void take()}>
          {t('media:cover.take')}
        </Button>
        <Button size="xs" variant="subtle" onClick={onClose}>
          {t('cancel')}
        </Button>
      </div>
      {(isRefusing || problem) && (
        <p className="field-error" role="alert">
          {isRefusing ? t('media:uploadsFirst') : problem}
        </p>
      )}
    </div>
  )
}

/** Return the shown frame of a video as a JPEG in the video's size. Reject if the video can't be read up to there. */
async function frameOf(video: HTMLVideoElement, signal: AbortSignal): Promise<Blob> {
  if (video.seeking)
    await new Promise((resolve, reject) => {
      video.addEventListener('seeked', resolve, { once: true })
      video.addEventListener('error', () => reject(new Error('The video could not be read.')), { once: true })
      signal.addEventListener('abort', () => reject(new Error('The cover was not wanted any more.')))
    })
  const canvas = document.createElement('canvas')
  canvas.width = video.videoWidth
  canvas.height = video.videoHeight
  canvas.getContext('2d')?.drawImage(video, 0, 0)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('The browser made no image of the frame.'))), 'image/jpeg', QUALITY),
  )
}
