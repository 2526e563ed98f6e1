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
// a plain field replaces the editor if its code can't be loaded
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
  /** A selector of the elements where a pasted image belongs into the text. */
  within: string
  onImage: (image: MediaOut) => void
}

/** The parts of the gallery that the editor shows. The route hands them over, because the gallery is another feature. */
export interface GalleryParts {
  /** Picks an image from the gallery, or uploads one. */
  Picker: ComponentType<PickerProps>
  /** Uploads the images that are dropped on the page or pasted, and hands over each one when it is uploaded. */
  Uploads: ComponentType<UploadsProps>
}

interface ArticleTextProps {
  title: string
  value: string
  onChange: (text: string) => void
  language: string
  error: ReactNode
  /** The rendered text; absent until the server has answered. */
  preview: { html: string; words: number; reading_minutes: number } | undefined
  previewError: Problem | null
  /** The summary and the image above the text in the preview. */
  lead: { summary: string; image: { url: string; alt: string } | undefined }
  gallery: GalleryParts
  handle: RefObject<TextHandle | null>
  /** The writer is writing in the text, so nobody else may. */
  isBusy: boolean
  /** Where the tools of the writer are drawn. */
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
  const { keys, tools } = useTextTools()
  const insert = (media: MediaOut) => text.current?.edit(image(media.id, media.alt || t('articles:editor.noAlt')))

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
        <Toolbar tools={tools} text={text} onPickImage={() => setPicking(true)} />
        <ViewSwitch view={view} onChange={setView} />
        <div className="article-writing" ref={writing} />
      </div>
      <div className="article-panes">
        {/* the editor stays behind the preview, with its caret and its undo history */}
        <div className="article-write" hidden={view === 'preview'}>
          <Suspense fallback={<PlainText {...field} ref={text} />}>
            <MarkdownEditor {...field} ref={text} />
          </Suspense>
        </div>
        {view !== 'write' && <Preview title={title} lead={lead} html={preview?.html} language={language} />}
      </div>
      {error && (
        <p className="fault article-fault" id={`${id}-error`} role="alert">
          {error}
        </p>
      )}
      <div className="article-counts num">
        <Counts preview={preview} problem={previewError} />
        <span className="vh" id={`${id}-keys`}>
          {t('articles:editor.leaveEditor')}
        </span>
      </div>
      <gallery.Uploads within=".article-write" onImage={insert} />
      <gallery.Picker
        opened={picking}
        title={t('articles:editor.pickImage')}
        onClose={() => setPicking(false)}
        onPick={(media) => {
          setPicking(false)
          // the drawer gives the focus back before that
          requestAnimationFrame(() => insert(media))
        }}
      />
    </div>
  )
}

/** Return the tools of the editor, and those that have a key, by that key. */
function useTextTools() {
  const { t } = useTranslation(['common', 'articles'])
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
  return { keys, tools }
}

interface ToolbarProps {
  tools: ReturnType<typeof useTextTools>['tools']
  text: RefObject<TextHandle | null>
  onPickImage: () => void
}

function Toolbar({ tools, text, onPickImage }: ToolbarProps) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    <div className="article-tools" role="group" aria-label={t('articles:editor.tools')}>
      {tools.map(({ name, letter, use }) => (
        <Tool key={name} name={name} letter={letter} onUse={() => text.current?.edit(use)} />
      ))}
      <Tool name="image" onUse={onPickImage} opens />
      <Tool name="undo" letter="Z" onUse={() => text.current?.undo()} />
      <Tool name="redo" onUse={() => text.current?.redo()} />
    </div>
  )
}

/** The buttons that show the text, its preview, or both. */
function ViewSwitch({ view, onChange }: { view: View; onChange: (view: View) => void }) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    <div className="article-views" role="group" aria-label={t('articles:editor.view')}>
      {VIEWS.map((name) => (
        <button type="button" key={name} data-view={name} aria-pressed={view === name} onClick={() => onChange(name)}>
          {t(`articles:editor.views.${name}`)}
        </button>
      ))}
    </div>
  )
}

interface PreviewProps extends Pick<ArticleTextProps, 'title' | 'lead' | 'language'> {
  html: string | undefined
}

/** The article as readers will see it. */
function Preview({ title, lead, html, language }: PreviewProps) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    // the preview scrolls, so the keyboard has to reach it
    <section className="article-preview" aria-label={t('articles:editor.preview')} lang={language} tabIndex={0}>
      {lead.image && <img className="article-lead" src={lead.image.url} alt={lead.image.alt} />}
      {title && <h2>{title}</h2>}
      {lead.summary.trim() && <p className="article-summary">{lead.summary}</p>}
      {html ? <RenderedHtml html={html} /> : <p className="dim">{t('articles:editor.previewEmpty')}</p>}
    </section>
  )
}

/** How many words the text has, and how long it takes to read. */
function Counts({ preview, problem }: { preview: ArticleTextProps['preview']; problem: Problem | null }) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  return (
    <>
      {preview && (
        <>
          <span>{t('articles:wordCount', { count: preview.words })}</span>
          {preview.words > 0 && <span>{t('articles:editor.reading', { count: preview.reading_minutes })}</span>}
        </>
      )}
      {problem && (
        <span role="alert">
          {t('articles:editor.previewFailed')} {problemText(t, problem)}
        </span>
      )}
    </>
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
  /** The letter that does the same with Ctrl or ⌘. */
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
      // keeps the caret in the text while the button is pressed
      onMouseDown={(event) => event.preventDefault()}
      onClick={onUse}
    >
      <Icon size={17} stroke={1.7} aria-hidden />
    </ActionIcon>
  )
}
