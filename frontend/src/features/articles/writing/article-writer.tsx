import { Button, Menu } from '@mantine/core'
import { IconPlayerStop, IconRefresh, IconSparkles } from '@tabler/icons-react'
import { lazy, Suspense, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import { useTemplateChoice, type ChosenTemplate } from '@/components/template-fields'
import { useDraft } from '@/lib/drafts'
import { keepFocus } from '@/lib/keep-focus'
import { AgainMenu } from './again-menu'
import { headingsOf } from './article-parts'
import './article-writing.css'
import { FlowPanel } from './flow-panel'
import { PartAgain, type Target } from './part-again'
import type { Caret, TextHandle } from '@/features/articles/editor/text-handle'
import type { ArticleForm } from '@/features/articles/editor/use-article'
import { useFlow, type Flow, type StepName } from './use-flow'
import { useAppliedText } from '@/features/articles/editor/use-applied-text'
import type { Places } from './writing-places'

const TemplatePanel = lazy(() => import('@/components/template-panel'))

interface ArticleWriterProps {
  articleId: string
  form: ArticleForm
  text: RefObject<TextHandle | null>
  /** Saves the article and returns its id. Undefined if that failed, which is shown. */
  stored: () => Promise<string | undefined>
  /** The elements of the editor in which the tools are drawn. */
  places: Places
  /** Called when the writer begins or ends to write in the text. */
  onBusy: (busy: boolean) => void
}

/** The writer of an article: writes each part on request, and writes it again with a remark. */
export function ArticleWriter({ articleId, form, text, stored, places, onBusy }: ArticleWriterProps) {
  const { t } = useTranslation(['common', 'articles', 'writing'])
  const choice = useChoiceDraft(articleId)
  const { panel, open, close: closePanel } = usePanel(() => places.tools?.querySelector('button'))
  const [partBusy, setPartBusy] = useState(false)
  const applied = useAppliedText(form, text)
  const flow = useFlow({ form, text, stored, choice, applied, hidden: panel !== 'flow' })
  const { values } = form
  const target = typeof panel === 'object' ? panel : undefined
  const busy = flow.busy || partBusy
  const writesText = flow.busy && flow.requested?.step === 'sections'

  useEffect(() => {
    onBusy(writesText)
    return () => onBusy(false)
  }, [onBusy, writesText])

  const close = () => {
    setPartBusy(false)
    closePanel()
  }
  const takeImage = ({ state, media_id, alt }: WritingOut) => {
    if (state !== 'succeeded' || !media_id) return
    applied.take('featured', { featured: { media_id, alt } }, t('articles:writer.done.image'))
    close()
  }
  const partAgain = target && (
    <PartAgain
      key={target.part === 'passage' ? `${target.passage.start} ${target.passage.end}` : target.part}
      target={target}
      form={form}
      stored={stored}
      choice={choice}
      applied={applied}
      onBusy={setPartBusy}
      onClose={close}
    />
  )
  const hasSearch = (values.seo_title + values.seo_description).trim() !== ''
  const atField = target?.part === 'summary' || target?.part === 'search' ? target.part : undefined

  return (
    <>
      <InPlace element={places.tools}>
        <WriterTools
          flow={flow}
          values={values}
          isPanelOpen={panel === 'flow'}
          isPartBusy={partBusy}
          selection={() => text.current?.selected() ?? [0, 0]}
          onTogglePanel={() => (panel === 'flow' ? close() : open('flow'))}
          onChoose={open}
        />
      </InPlace>
      <InPlace element={places.panel}>
        {panel === 'flow' && (
          <FlowPanel
            flow={flow}
            choice={choice}
            applied={applied}
            values={values}
            onContent={(content) => (text.current ? text.current.replace(content, true) : form.setFieldValue('content', content))}
            onClose={close}
          />
        )}
        {target && !atField && <div className="panel writing-flow writing-popover">{partAgain}</div>}
      </InPlace>
      <InPlace element={places.summary}>
        <AtField part="summary" label={t(values.summary.trim() ? 'articles:writer.summaryAgain' : 'articles:writer.writeSummary')} disabled={busy} onOpen={open}>
          {atField === 'summary' && partAgain}
        </AtField>
      </InPlace>
      <InPlace element={places.search}>
        <AtField part="search" label={t(hasSearch ? 'articles:writer.searchAgain' : 'articles:writer.writeSearch')} disabled={busy} onOpen={open}>
          {atField === 'search' && partAgain}
        </AtField>
      </InPlace>
      <InPlace element={places.featured}>
        <ImageWriter
          form={form}
          stored={stored}
          isOpen={panel === 'image'}
          isBusy={busy}
          onOpen={() => open('image')}
          onAtWork={setPartBusy}
          onMade={takeImage}
          onClose={close}
        />
      </InPlace>
    </>
  )
}

/** Draw in an element of the editor, as soon as the editor has it. */
const InPlace = ({ element, children }: { element: HTMLElement | null | undefined; children: ReactNode }) =>
  element && createPortal(children, element)

/** Return the choice of a template, kept for the article while the app is open. */
function useChoiceDraft(articleId: string) {
  const draft = useDraft<ChosenTemplate>(`article-writing:${articleId}`)
  const [initial] = useState(draft.read)
  const choice = useTemplateChoice('text', initial)
  const { chosen } = choice
  useEffect(() => {
    if (chosen.templateId !== null || chosen.treeId !== null || Object.keys(chosen.inputs).length > 0) draft.keep(chosen)
  }, [draft, chosen])
  return choice
}

/** Return which panel is open. Closing it returns the focus to its opener, or to `fallback` if the opener is gone. */
function usePanel(fallback: () => HTMLElement | null | undefined) {
  const [panel, setPanel] = useState<'flow' | 'image' | Target>()
  const opener = useRef<HTMLElement>(null)
  return {
    panel,
    open: (next: typeof panel) => {
      opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
      setPanel(next)
    },
    close: () => {
      setPanel(undefined)
      keepFocus(() => (opener.current?.isConnected ? opener.current : fallback()))
    },
  }
}

interface WriterToolsProps {
  flow: Flow
  values: ArticleForm['values']
  isPanelOpen: boolean
  /** A single part is being written. */
  isPartBusy: boolean
  selection: () => Caret
  onTogglePanel: () => void
  onChoose: (target: Target) => void
}

/** The tools above the text: write the article, write a part again, and what the writer is doing. */
function WriterTools({ flow, values, isPanelOpen, isPartBusy, selection, onTogglePanel, onChoose }: WriterToolsProps) {
  const { t } = useTranslation(['common', 'articles', 'writing'])
  const { step = 'outline', number = 0 } = flow.requested ?? {}
  const headings = step === 'sections' ? headingsOf(values.content) : []
  const atWork = step === 'sections'
    ? t('articles:writer.atWork.section', { number: number + 1, count: headings.length })
    : t(AT_WORK[step])
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconSparkles size={14} aria-hidden />}
        aria-expanded={isPanelOpen}
        disabled={isPartBusy}
        onClick={onTogglePanel}
      >
        {t('articles:writer.open')}
      </Button>
      <Menu>
        <Menu.Target>
          <Button size="compact-sm" variant="subtle" leftSection={<IconRefresh size={14} aria-hidden />} disabled={flow.busy || isPartBusy}>
            {t('articles:writer.openAgain')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <AgainMenu values={values} selection={selection} onChoose={onChoose} />
        </Menu.Dropdown>
      </Menu>
      {flow.busy && (
        <span className="writing-behind">
          {/* the open panel says the same */}
          <span role={isPanelOpen ? undefined : 'status'}>{atWork}</span>
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<IconPlayerStop size={14} aria-hidden />}
            loading={flow.stopping}
            onClick={flow.stop}
          >
            {t('writing:stop')}
          </Button>
        </span>
      )}
    </>
  )
}

interface ImageWriterProps {
  form: ArticleForm
  stored: () => Promise<string | undefined>
  isOpen: boolean
  isBusy: boolean
  onOpen: () => void
  onAtWork: (atWork: boolean) => void
  onMade: (writing: WritingOut) => void
  onClose: () => void
}

/** Makes the featured image by a template, from the title and the summary of the article. */
function ImageWriter({ form, stored, isOpen, isBusy, onOpen, onAtWork, onMade, onClose }: ImageWriterProps) {
  const { t } = useTranslation(['common', 'writing'])
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        className="writing-at-field"
        leftSection={<IconSparkles size={14} aria-hidden />}
        aria-expanded={isOpen}
        disabled={isBusy}
        onClick={onOpen}
      >
        {t('writing:openImage')}
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <TemplatePanel
            type="image"
            values={() => {
              const { title, summary, language, zone, planned } = form.getValues()
              return { content: `${title}\n\n${summary}`.trim(), language, zone, planned, account_ids: [] }
            }}
            stored={stored}
            onShow={onAtWork}
            onMade={onMade}
            onClose={onClose}
          />
        </Suspense>
      )}
    </>
  )
}

interface AtFieldProps {
  part: 'summary' | 'search'
  label: string
  disabled: boolean
  onOpen: (target: Target) => void
  /** The panel that the button has opened. */
  children: ReactNode
}

/** The button beside a field that writes the field, or writes it again. */
function AtField({ part, label, disabled, onOpen, children }: AtFieldProps) {
  return (
    <>
      <Button
        size="compact-sm"
        variant="subtle"
        className="writing-at-field"
        leftSection={<IconSparkles size={14} aria-hidden />}
        aria-expanded={Boolean(children)}
        disabled={disabled}
        onClick={() => onOpen({ part })}
      >
        {label}
      </Button>
      {children}
    </>
  )
}

const AT_WORK = {
  outline: 'articles:writer.atWork.outline',
  summary: 'articles:writer.atWork.summary',
  search: 'articles:writer.atWork.search',
} as const satisfies Record<Exclude<StepName, 'sections'>, string>
