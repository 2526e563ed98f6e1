import { ActionIcon } from '@mantine/core'
import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBold,
  IconCode,
  IconHeading,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconPhoto,
  IconQuote,
  type Icon,
} from '@tabler/icons-react'
import { lazy, Suspense, useId, useRef, useState, type ComponentType, type ReactNode, type RefCallback, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { MediaOut } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { shortcutText } from '@/lib/on-apple'
import { problemText, type Problem } from '@/lib/problems'
import { bold, code, heading, image, italic, link, list, numberedList, quote, type MakeEdit } from './markdown-edits'
import { PlainText } from './plain-text'
import type { Caret, TextHandle } from './text-handle'

const RenderedHtml = lazyPart(async () => (await import('@/components/rendered-html')).RenderedHtml)
// where the editor cannot be loaded, one writes in a plain field
const MarkdownEditor = lazy(async () => ({
  default: await import('./markdown-editor').then((module) => module.MarkdownEditor, () => PlainText),
}))

const VIEWS = ['write', 'preview', 'both'] as const

type View = (typeof VIEWS)[number]

interface PickerProps {
  opened: boolean
  title: string
  onClose: () => void
  onPick: (image: MediaOut) => void
}

interface UploadsProps {
  /** Where a pasted image is meant for the text, as a selector. */
  within: string
  onImage: (image: MediaOut) => void
}

/** What of the gallery an article needs; a feature of its own. */
export interface GalleryParts {
  /** One image of the gallery, or what is uploaded on the spot. */
  Picker: ComponentType<PickerProps>
  /** What is dropped on the page or pasted is uploaded; each image comes when it is there. */
  Uploads: ComponentType<UploadsProps>
}

interface ArticleTextProps {
  title: string
  value: string
  onChange: (text: string) => void
  language: string
  error: ReactNode
  /** As it will be shown; nothing until the server has said. */
  preview: { html: string; words: number; reading_minutes: number } | undefined
  previewError: Problem | null
  /** What stands above the text where it is shown. */
  lead: { summary: string; image: { url: string; alt: string } | undefined }
  gallery: GalleryParts
  handle: RefObject<TextHandle | null>
  /** Somebody else writes in it. */
  isBusy: boolean
  /** Where the tools of a writer stand. */
  writing: RefCallback<HTMLElement>
}

/** The text in Markdown, its tools, and what it looks like. */
export function ArticleText(props: ArticleTextProps) {
  const { title, value, onChange, language, error, preview, previewError, lead, gallery, handle: text, isBusy, writing } = props
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const [view, setView] = useState<View>('write')
  const [picking, setPicking] = useState(false)
  const caret = useRef<Caret>(undefined)
  const id = useId()
  const sample = (name: 'bold' | 'italic' | 'link' | 'code') => t(`articles:editor.sample.${name}`)
  const keys: Record<string, MakeEdit> = {
    b: bold(sample('bold')),
    i: italic(sample('italic')),
    k: link(sample('link'), t('articles:editor.address')),
  }
  const tools: { name: keyof typeof ICONS; letter?: string; use: MakeEdit }[] = [
    { name: 'bold', letter: 'B', use: bold(sample('bold')) },
    { name: 'italic', letter: 'I', use: italic(sample('italic')) },
    { name: 'heading', use: heading },
    { name: 'link', letter: 'K', use: link(sample('link'), t('articles:editor.address')) },
    { name: 'list', use: list },
    { name: 'numbered', use: numberedList },
    { name: 'quote', use: quote },
    { name: 'code', use: code(sample('code')) },
  ]
  const insert = (one: MediaOut) => text.current?.edit(image(one.id, one.alt || t('articles:editor.noAlt')))

  const field = {
    value,
    onChange,
    label: t('articles:editor.text'),
    placeholder: t('articles:editor.textHint'),
    describedBy: error ? `${id}-error ${id}-keys` : `${id}-keys`,
    isWrong: Boolean(error),
    isBusy,
    language,
    keys,
    caret,
  }
  return (
    <div className="article-text" data-view={view} data-field="content" data-wrong={error ? true : undefined}>
      <div className="article-bar">
        <div className="article-tools" role="group" aria-label={t('articles:editor.tools')}>
          {tools.map(({ name, letter, use }) => (
            <Tool key={name} name={name} letter={letter} onUse={() => text.current?.edit(use)} />
          ))}
          <Tool name="image" onUse={() => setPicking(true)} opens />
          <Tool name="undo" letter="Z" onUse={() => text.current?.undo()} />
          <Tool name="redo" onUse={() => text.current?.redo()} />
        </div>
        <div className="article-views" role="group" aria-label={t('articles:editor.view')}>
          {VIEWS.map((name) => (
            <button type="button" key={name} data-view={name} aria-pressed={view === name} onClick={() => setView(name)}>
              {t(`articles:editor.views.${name}`)}
            </button>
          ))}
        </div>
        <div className="article-writing" ref={writing} />
      </div>
      <div className="article-panes">
        {/* it stays while the preview is looked at, with its caret and what can be undone */}
        <div className="article-write" hidden={view === 'preview'}>
          <Suspense fallback={<PlainText {...field} ref={text} />}>
            <MarkdownEditor {...field} ref={text} />
          </Suspense>
        </div>
        {view !== 'write' && (
          // it scrolls, so that the keyboard has to reach it
          <section className="article-preview" aria-label={t('articles:editor.preview')} lang={language} tabIndex={0}>
            {lead.image && <img className="article-lead" src={lead.image.url} alt={lead.image.alt} />}
            {title && <h2>{title}</h2>}
            {lead.summary.trim() && <p className="article-summary">{lead.summary}</p>}
            {preview?.html ? <RenderedHtml html={preview.html} /> : <p className="dim">{t('articles:editor.previewEmpty')}</p>}
          </section>
        )}
      </div>
      {error && (
        <p className="fault article-fault" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      <div className="article-counts num">
        {preview && (
          <>
            <span>{t('articles:wordCount', { count: preview.words })}</span>
            {preview.words > 0 && <span>{t('articles:editor.reading', { count: preview.reading_minutes })}</span>}
          </>
        )}
        {previewError && (
          <span role="alert">
            {t('articles:editor.previewFailed')} {problemText(t, previewError)}
          </span>
        )}
        <span className="vh" id={`${id}-keys`}>
          {t('articles:editor.leaveEditor')}
        </span>
      </div>
      <gallery.Uploads within=".article-write" onImage={insert} />
      <gallery.Picker
        opened={picking}
        title={t('articles:editor.pickImage')}
        onClose={() => setPicking(false)}
        onPick={(one) => {
          setPicking(false)
          // the drawer gives the focus back first
          requestAnimationFrame(() => insert(one))
        }}
      />
    </div>
  )
}

const ICONS = {
  bold: IconBold,
  italic: IconItalic,
  heading: IconHeading,
  link: IconLink,
  list: IconList,
  numbered: IconListNumbers,
  quote: IconQuote,
  code: IconCode,
  image: IconPhoto,
  undo: IconArrowBackUp,
  redo: IconArrowForwardUp,
} satisfies Record<string, Icon>

interface ToolProps {
  name: keyof typeof ICONS
  /** Pressed with Ctrl or ⌘, it does the same. */
  letter?: string
  opens?: boolean
  onUse: () => void
}

function Tool({ name, letter, opens = false, onUse }: ToolProps) {
  const { t } = useTranslation(['common', 'articles'])
  const label = t(`articles:editor.tool.${name}`)
  const Icon = ICONS[name]
  return (
    <ActionIcon
      size={34}
      aria-label={label}
      aria-haspopup={opens ? 'dialog' : undefined}
      title={letter ? t('articles:editor.withKey', { name: label, key: shortcutText(t('ctrl'), letter) }) : label}
      // else the caret would leave the text before the press is over
      onMouseDown={(event) => event.preventDefault()}
      onClick={onUse}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
