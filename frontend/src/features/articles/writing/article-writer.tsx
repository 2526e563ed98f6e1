import { Button, Menu } from '@mantine/core'
import { IconPlayerStop, IconRefresh, IconSparkles } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useEffect, useRef, useState, type ReactNode, type RefObject } from 'react'
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
import type { TextHandle } from '@/features/articles/editor/text-handle'
import type { ArticleForm } from '@/features/articles/editor/use-article'
import { useFlow, type StepName } from './use-flow'
import { useAppliedText } from '@/features/articles/editor/use-applied-text'
import type { Places } from './writing-places'

const TemplatePanel = lazy(() => import('@/components/template-panel'))

interface ArticleWriterProps {
  articleId: string
  form: ArticleForm
  text: RefObject<TextHandle | null>
  /** The article's id, once the server has it; nothing where that failed, which is shown. */
  stored: () => Promise<string | undefined>
  /** Where in the editor its parts stand. */
  places: Places
  /** Nobody else may write in the text. */
  onBusy: (busy: boolean) => void
}

/** Parts of an article that a writer makes, each by a press and each again with a remark. */
export function ArticleWriter({ articleId, form, text, stored, places, onBusy }: ArticleWriterProps) {
  const { t } = useTranslation(['common', 'articles', 'writing'])
  const draft = useDraft<ChosenTemplate>(`article-writing:${articleId}`)
  const [kept] = useState(draft.read)
  const choice = useTemplateChoice('text', kept)
  const { chosen } = choice
  const [panel, setPanel] = useState<'flow' | 'image' | Target>()
  const [partBusy, setPartBusy] = useState(false)
  const opener = useRef<HTMLElement>(null)
  const taking = useAppliedText(form, text)
  const flow = useFlow({ form, text, stored, choice, taking, hidden: panel !== 'flow' })
  const { values } = form
  const target = typeof panel === 'object' ? panel : undefined
  const busy = flow.busy || partBusy
  const writesText = flow.busy && flow.asked?.step === 'sections'

  useEffect(() => {
    if (chosen.templateId !== null || chosen.treeId !== null || Object.keys(chosen.inputs).length > 0) draft.keep(chosen)
  }, [draft, chosen])
  useEffect(() => {
    onBusy(writesText)
    return () => onBusy(false)
  }, [onBusy, writesText])

  const open = (next: typeof panel) => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null
    setPanel(next)
  }
  const close = () => {
    setPanel(undefined)
    setPartBusy(false)
    keepFocus(() => (opener.current?.isConnected ? opener.current : places.tools?.querySelector('button')))
  }
  const showFlow = useCallback((atWork: boolean) => setPartBusy(atWork), [])

  const takeImage = ({ state, media_id, alt }: WritingOut) => {
    if (state !== 'succeeded' || !media_id) return
    taking.take('featured', { featured: { media_id, alt } }, t('articles:writer.done.image'))
    close()
  }
  const again = target && (
    <PartAgain
      key={target.part === 'passage' ? `${target.passage.start} ${target.passage.end}` : target.part}
      target={target}
      form={form}
      stored={stored}
      choice={choice}
      taking={taking}
      onBusy={setPartBusy}
      onClose={close}
    />
  )
  const { step = 'outline', number = 0 } = flow.asked ?? {}
  const headings = writesText ? headingsOf(values.content) : []
  const atWork = writesText
    ? t('articles:writer.atWork.section', { number: number + 1, count: headings.length })
    : step !== 'sections' && t(AT_WORK[step])
  const searched = (values.seo_title + values.seo_description).trim() !== ''
  const atField = target?.part === 'summary' || target?.part === 'search' ? target.part : undefined

  return (
    <>
      {places.tools &&
        createPortal(
          <>
            <Button
              size="compact-sm"
              variant="subtle"
              leftSection={<IconSparkles size={14} aria-hidden />}
              aria-expanded={panel === 'flow'}
              disabled={partBusy}
              onClick={() => (panel === 'flow' ? close() : open('flow'))}
            >
              {t('articles:writer.open')}
            </Button>
            <Menu>
              <Menu.Target>
                <Button size="compact-sm" variant="subtle" leftSection={<IconRefresh size={14} aria-hidden />} disabled={busy}>
                  {t('articles:writer.openAgain')}
                </Button>
              </Menu.Target>
              <Menu.Dropdown>
                <AgainMenu values={values} selection={() => text.current?.selected() ?? [0, 0]} onChoose={open} />
              </Menu.Dropdown>
            </Menu>
            {flow.busy && (
              <span className="writing-behind">
                {/* the panel tells it, too */}
                <span role={panel === 'flow' ? undefined : 'status'}>{atWork}</span>
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
          </>,
          places.tools,
        )}
      {places.panel &&
        createPortal(
          <>
            {panel === 'flow' && (
              <FlowPanel
                flow={flow}
                choice={choice}
                taking={taking}
                values={values}
                onContent={(content) => (text.current ? text.current.put(content, true) : form.setFieldValue('content', content))}
                onClose={close}
              />
            )}
            {target && !atField && <div className="panel writing-flow writing-popover">{again}</div>}
          </>,
          places.panel,
        )}
      {places.summary &&
        createPortal(
          <AtField part="summary" label={t(values.summary.trim() ? 'articles:writer.summaryAgain' : 'articles:writer.writeSummary')} disabled={busy} onOpen={open}>
            {atField === 'summary' && again}
          </AtField>,
          places.summary,
        )}
      {places.search &&
        createPortal(
          <AtField part="search" label={t(searched ? 'articles:writer.searchAgain' : 'articles:writer.writeSearch')} disabled={busy} onOpen={open}>
            {atField === 'search' && again}
          </AtField>,
          places.search,
        )}
      {places.featured &&
        createPortal(
          <>
            <Button
              size="compact-sm"
              variant="subtle"
              className="writing-at-field"
              leftSection={<IconSparkles size={14} aria-hidden />}
              aria-expanded={panel === 'image'}
              disabled={busy}
              onClick={() => open('image')}
            >
              {t('writing:openImage')}
            </Button>
            {panel === 'image' && (
              <Suspense fallback={null}>
                <TemplatePanel
                  type="image"
                  values={() => {
                    const { title, summary, language, zone, planned } = form.getValues()
                    return { content: `${title}\n\n${summary}`.trim(), language, zone, planned, account_ids: [] }
                  }}
                  stored={stored}
                  onShow={showFlow}
                  onMade={takeImage}
                  onClose={close}
                />
              </Suspense>
            )}
          </>,
          places.featured,
        )}
    </>
  )
}

interface AtFieldProps {
  part: 'summary' | 'search'
  label: string
  disabled: boolean
  onOpen: (target: Target) => void
  /** What it has opened. */
  children: ReactNode
}

/** Beside a field: what writes it, or again. */
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
