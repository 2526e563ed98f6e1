import { ActionIcon, Button, CloseButton, Progress, Tooltip } from '@mantine/core'
import {
  IconAlertTriangle,
  IconCheck,
  IconClock,
  IconCopyCheck,
  IconRefresh,
  IconUpload,
  IconX,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useProblemText } from '@/components/use-problem-text'
import { useFormat } from '@/i18n/use-format'
import type { Problem } from '@/lib/problems'
import { useRefusals } from '@/lib/running-uploads'
import type { ImageLink } from '@/features/media/gallery/image-grid'
import { sizeText } from '@/features/media/image-text'
import { isOpen, type Upload, type UploadQueue, type UploadState } from './upload-queue'

const icons = {
  waiting: IconClock,
  sending: IconUpload,
  checking: IconUpload,
  done: IconCheck,
  known: IconCopyCheck,
  failed: IconAlertTriangle,
  cancelled: IconX,
} satisfies Record<UploadState, Icon>

interface UploadListProps {
  uploads: readonly Upload[]
  queue: Pick<UploadQueue, 'cancel' | 'cancelAll' | 'retry' | 'clear'>
  /** Returns the link to an uploaded image; without it the name is plain text. */
  linkTo?: (imageId: string) => ImageLink
}

/** The state of each upload; stays until it is closed. */
export function UploadList({ uploads, queue, linkTo }: UploadListProps) {
  const { t } = useTranslation(['common', 'media'])
  const open = uploads.filter(isOpen).length
  const refusals = useRefusals()
  const isRefusing = open > 0 && refusals > 0
  const list = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isRefusing) list.current?.focus()
  }, [isRefusing, refusals])
  const failed = uploads.filter(({ state }) => state === 'failed').length
  const arrived = uploads.filter(({ image }) => image).length
  if (uploads.length === 0) return null
  return (
    <section className="panel uploads" ref={list} tabIndex={-1} aria-label={t('media:uploads')}>
      <div className="uploads-head">
        <span role="status">
          <b>{t('media:uploaded', { count: uploads.length, arrived })}</b>
          {failed > 0 && <span className="uploads-failed">{t('media:uploadsFailed', { count: failed })}</span>}
        </span>
        {open > 0 ? (
          <Button size="xs" variant="default" onClick={() => queue.cancelAll()}>
            {t('media:cancelAll')}
          </Button>
        ) : (
          <CloseButton aria-label={t('media:closeUploads')} onClick={() => queue.clear()} />
        )}
      </div>
      {isRefusing && (
        <p className="field-error" role="alert">
          {t('media:uploadsFirst')}
        </p>
      )}
      <ul>
        {inOrder(uploads).map((upload) => (
          <UploadRow key={upload.id} upload={upload} queue={queue} linkTo={linkTo} />
        ))}
      </ul>
    </section>
  )
}

/** Return the uploads with the failed ones first. */
const inOrder = (uploads: readonly Upload[]) =>
  uploads.toSorted((a, b) => Number(b.state === 'failed') - Number(a.state === 'failed'))

function UploadRow({ upload, queue, linkTo }: { upload: Upload } & Pick<UploadListProps, 'queue' | 'linkTo'>) {
  const { t } = useTranslation(['common', 'media'])
  const format = useFormat()
  const textOf = useProblemText()
  const { id, name, bytes, state, sent, problem, image } = upload
  const Icon = icons[state]
  const size = sizeText(t, format, bytes)
  return (
    <li data-state={state}>
      <Icon size={17} stroke={1.8} aria-hidden />
      <div className="two-lines grow">
        {image && linkTo ? (
          <Link className="link clip" {...linkTo(image.id)}>
            {name}
          </Link>
        ) : (
          <b className="clip">{name}</b>
        )}
        <small className={problem ? 'upload-reason' : 'num'}>
          {problem
            ? textOf(problem)
            : state === 'sending'
              ? t('media:upload.sendingOf', { share: format.percent(Math.floor(sent * 100) / 100), size })
              : t(`media:upload.${state}`, { size })}
        </small>
        {image?.first_frame_only && <small>{t('media:upload.firstFrame')}</small>}
        {image?.page_sizes_differ && <small>{t('media:upload.pageSizes')}</small>}
        {(state === 'sending' || state === 'checking') && (
          <Progress
            size={4}
            mt={5}
            value={sent * 100}
            animated={state === 'checking'}
            aria-label={t('media:progressOf', { name })}
          />
        )}
      </div>
      {isOpen(upload) && (
        <Tooltip label={t('cancel')}>
          <ActionIcon aria-label={t('media:cancelOf', { name })} onClick={() => queue.cancel(id)}>
            <IconX size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
      {(state === 'cancelled' || (state === 'failed' && mayWork(upload.problem))) && (
        <Tooltip label={t('tryAgain')}>
          <ActionIcon aria-label={t('media:retryOf', { name })} onClick={() => queue.retry(id)}>
            <IconRefresh size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      )}
    </li>
  )
}

/** Return whether a retry can succeed, which it can't if the file itself is invalid. */
const mayWork = (problem: Problem | undefined) =>
  problem === undefined || problem.status < 400 || problem.status === 429 || problem.status >= 500
