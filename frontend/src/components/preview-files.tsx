import { useTranslation } from 'react-i18next'
import type { FileOut } from '@/api/types.gen'
import { useLanguage } from '@/i18n/locale'
import { fileTitle } from '@/lib/file-title'
import { DocumentPages } from './document-pages'
import { PageSwipe, type SwipedPage } from './page-swipe'
import type { PreviewFeed } from './preview-feed'
import { VideoPlayer } from './video-player'

/** An image needs no more than its address. */
export type PreviewFile = Pick<FileOut, 'media_id' | 'url' | 'alt' | 'width' | 'height'> &
  Partial<Pick<FileOut, 'kind' | 'name' | 'title' | 'thumbnail_url' | 'page_url' | 'pages' | 'seconds' | 'cover_url'>> & {
    /** The pages of a document that is not made yet. */
    drawn?: readonly SwipedPage[]
  }

interface PreviewFilesProps {
  /** The files that the network gets. */
  files: readonly PreviewFile[]
  feed: PreviewFeed
}

/** The images, the document or the video of a post, as the network's feed shows them. */
export function PreviewFiles({ files, feed: { pictureFirst } }: PreviewFilesProps) {
  const [first] = files
  if (!first) return null
  if (first.kind === 'document') return <PreviewDocument file={first} />
  if (first.kind === 'video')
    return (
      <div className="pv-video">
        <VideoPlayer key={first.media_id} file={completed(first)} name={nameOf(first)} />
      </div>
    )
  if (pictureFirst && files.length > 1) {
    // the other pictures have the ratio of the first one
    return <PageSwipe pages={files} ratio={ratioIn(first, pictureFirst)} />
  }
  if (pictureFirst) {
    return (
      <div className="pv-images" data-count={1}>
        <img src={first.url} alt={first.alt} width={first.width} height={first.height} style={{ aspectRatio: ratioIn(first, pictureFirst) }} />
      </div>
    )
  }
  return (
    <div className="pv-images" data-count={Math.min(files.length, 4)}>
      {files.map((file) => (
        <img key={file.media_id} src={file.url} alt={file.alt} width={file.width} height={file.height} />
      ))}
    </div>
  )
}

const ratioIn = ({ width, height }: PreviewFile, { narrowest, widest }: NonNullable<PreviewFeed['pictureFirst']>) =>
  Math.min(Math.max(width / height, narrowest), widest)

/** The title stands above the pages. */
function PreviewDocument({ file }: { file: PreviewFile }) {
  const { t } = useTranslation(['common', 'posts'])
  const language = useLanguage()
  return (
    <div className="pv-doc">
      <p className="pv-doc-title">
        <b>{nameOf(file)}</b>
        {file.pages && <span lang={language}>{t('posts:filePages', { count: file.pages })}</span>}
      </p>
      {file.drawn ? (
        <PageSwipe pages={file.drawn} />
      ) : (
        <>
          <DocumentPages key={file.media_id} file={completed(file)} />
          {/* no new tab: the server lets no browser open a document as a page of its own */}
          <p className="pv-note" lang={language}>
            <a className="link" href={file.url} download={`${nameOf(file)}.pdf`}>
              {t('files.download')}
            </a>
          </p>
        </>
      )}
    </div>
  )
}

const nameOf = ({ title, name = '' }: PreviewFile) => title || fileTitle(name)

const completed = (file: PreviewFile) => ({ thumbnail_url: file.url, page_url: null, cover_url: null, pages: null, seconds: null, ...file })
