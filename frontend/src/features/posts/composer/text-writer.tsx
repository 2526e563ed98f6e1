import { Button, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconSparkles, IconTextWrap, IconWorldWww } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, PostLinkOut, VariantOut, WritingOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import '@/components/writing.css'
import { changedFields } from '@/lib/edits'
import { passageOf, replacePassage, type Passage } from '@/lib/passage'
import { COMMON, setTextAt, targetOf, textAt, withNetworkTexts, type TextTarget } from './text-targets'
import type { ComposerForm } from './use-composer'

const TemplatePanel = lazy(() => import('@/components/template-panel'))
const PassagePanel = lazy(() => import('./passage-panel'))

const DEMO = 'demo'

interface Options {
  form: ComposerForm
  accounts: readonly AccountOut[]
  /** The text that is shown. */
  target: TextTarget
  /** Save the post if needed and return its id; undefined if that failed, which is shown. */
  stored: () => Promise<string | undefined>
  area: RefObject<HTMLTextAreaElement | null>
}

/** Texts and passages written by a model: shown in the field while they are written, with one undo. */
export function useTextWriter({ form, accounts, target, stored, area }: Options) {
  const { t } = useTranslation(['common', 'writing'])
  const [panel, setPanel] = useState<{ target: TextTarget; passage?: Passage; address?: string }>()
  const [progress, setProgress] = useState<{ busy: boolean; text: string | null }>({ busy: false, text: null })
  const [hasSelection, setHasSelection] = useState(false)
  /** What the demo writer wrote for each text, marked until the text is changed. */
  const [demo, setDemo] = useState<Record<TextTarget, string>>({})
  const written = useWrittenText(form, area)
  const passage = panel?.passage
  const textOf = (textTarget: TextTarget) => textAt(form.getValues(), textTarget)
  // the text was changed, so the passage is no longer in it
  if (panel && passage && textOf(panel.target) !== passage.text) setPanel(undefined)

  const onShow = useCallback((busy: boolean, text: string | null) => setProgress({ busy, text }), [])
  const close = () => {
    setPanel(undefined)
    setProgress({ busy: false, text: null })
    area.current?.focus()
  }
  const take = (result: WritingOut, page?: string) => {
    if (!panel || result.state === 'failed') return
    const before = textOf(panel.target)
    const isStopped = result.state === 'cancelled'
    // a part of a passage does not replace the whole one
    if (result.text === '' || before === undefined || (isStopped && passage)) {
      notifications.show({ message: t(isStopped ? 'writing:stoppedEmpty' : 'writing:failed') })
      if (!isStopped) close()
      return
    }
    const after = passage ? replacePassage(passage, result.text) : result.text
    const isDemo = result.provider === DEMO
    if (isDemo && !passage) setDemo((texts) => ({ ...texts, [panel.target]: after }))
    const linkBefore = form.getValues().link
    // the panel began with the page of the post's link, but the text is about another page
    const isOtherPage = page !== undefined && page !== panel.address && linkBefore?.url === panel.address
    const link =
      result.link && (!linkBefore || isOtherPage) ? { before: linkBefore, after: { ...result.link, description: '' } } : undefined
    const done = t(isStopped ? 'writing:stopped' : passage ? 'writing:donePassage' : link ? 'writing:doneLinked' : 'writing:done')
    const message = isDemo ? `${done} ${t('writing:demo')}` : done
    if (panel.target === COMMON && !passage && result.texts.length > 1) written.applyAll(result.texts, link, message)
    else written.apply({ target: panel.target, before, after, link }, message)
    close()
  }

  const openPassage = () => {
    const { current } = area
    const selected = current && passageOf(current.value, current.selectionStart, current.selectionEnd)
    if (selected) setPanel({ target, passage: selected })
  }
  const busy = progress.busy && panel?.target === target
  const networks = [...new Set(accounts.map(({ kind }) => kind))]
  const shared = { values: form.getValues, stored, onShow, onMade: take, onClose: close }
  const tools: ReactNode = (
    <>
      <div className="writing-tools">
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconSparkles size={14} aria-hidden />}
          aria-expanded={panel !== undefined && !passage && panel.address === undefined}
          disabled={progress.busy}
          onClick={() => setPanel({ target })}
        >
          {t('writing:open')}
        </Button>
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconWorldWww size={14} aria-hidden />}
          aria-expanded={panel?.address !== undefined}
          disabled={progress.busy}
          onClick={() => setPanel({ target, address: form.getValues().link?.url ?? '' })}
        >
          {t('writing:openPage')}
        </Button>
        <Tooltip label={t('writing:passageHint')} disabled={hasSelection}>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconTextWrap size={14} aria-hidden />}
            aria-expanded={passage !== undefined}
            disabled={progress.busy}
            data-disabled={!hasSelection || undefined}
            aria-disabled={!hasSelection}
            onClick={openPassage}
          >
            {t('writing:openPassage')}
          </Button>
        </Tooltip>
      </div>
      {demo[target] !== undefined && demo[target] === textOf(target) && <p className="field-note">{t('writing:demoText')}</p>}
      {panel && (
        <Suspense fallback={null}>
          {passage ? (
            <PassagePanel key={`${passage.start} ${passage.end}`} passage={passage} {...shared} />
          ) : (
            <TemplatePanel
              key={`${panel.target} ${panel.address !== undefined}`}
              type="text"
              address={panel.address}
              networks={panel.target === COMMON ? networks : undefined}
              {...shared}
            />
          )}
        </Suspense>
      )}
    </>
  )
  return {
    tools,
    /** Return the props of the field that shows `text`. */
    field: (text: string) => ({
      value: busy && progress.text !== null ? progress.text : text,
      readOnly: busy,
      'aria-busy': busy,
      onSelect: ({ currentTarget: { value, selectionStart, selectionEnd } }: { currentTarget: HTMLTextAreaElement }) =>
        setHasSelection(passageOf(value, selectionStart, selectionEnd) !== undefined),
      onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
        const isUndo = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
        if (isUndo && written.undoLast(target)) event.preventDefault()
      },
    }),
  }
}

interface WrittenLink {
  before: PostLinkOut | null
  after: PostLinkOut
}

interface Written {
  target: TextTarget
  before: string
  after: string
  /** The post's link before and after, if it came with the text. */
  link?: WrittenLink | undefined
  /** The own texts before and after, if a text was written for each network. */
  variants?: { before: VariantOut[]; after: VariantOut[] }
}

/** Return the own texts without the written ones, but with those that were changed since. */
function withoutWritten(variants: VariantOut[], { before, after }: NonNullable<Written['variants']>): VariantOut[] {
  const at = (texts: VariantOut[], target: TextTarget) => texts.find((text) => targetOf(text) === target)
  const targets = [...new Set([...before, ...variants].map(targetOf))]
  return targets.flatMap((target) => {
    const isUnchanged = at(variants, target)?.content === at(after, target)?.content
    return at(isUnchanged ? before : variants, target) ?? []
  })
}

const isSameLink = (link: PostLinkOut | null, other: PostLinkOut) => link !== null && changedFields({ link }, { link: other }).length === 0

/** Put written texts into the form, each with an undo by a notification and, until the text is changed, by keys. */
function useWrittenText(form: ComposerForm, area: RefObject<HTMLTextAreaElement | null>) {
  const { t } = useTranslation(['common', 'writing'])
  const last = useRef<Written>(undefined)
  const closeUndo = useRef<() => void>(undefined)
  const undo = (written: Written) => {
    if (last.current === written) last.current = undefined
    closeUndo.current?.()
    // texts changed by hand since stay
    const { variants } = form.getValues()
    if (written.variants) form.setFieldValue('variants', withoutWritten(variants, written.variants))
    if (written.link && isSameLink(form.getValues().link, written.link.after)) form.setFieldValue('link', written.link.before)
    if (!written.variants || textAt(form.getValues(), written.target) === written.after) setTextAt(form, written.target, written.before)
    notifications.show({ message: t('writing:undone') })
    area.current?.focus()
  }
  const offerUndo = (written: Written, message: string) => {
    last.current = written
    closeUndo.current?.()
    closeUndo.current = showUndo({ message, label: t('undo'), undo: () => undo(written) })
  }
  return {
    apply: (written: Written, message: string) => {
      setTextAt(form, written.target, written.after)
      if (written.link) form.setFieldValue('link', written.link.after)
      offerUndo(written, message)
    },
    /** Fill the texts of all networks. */
    applyAll: (texts: WritingOut['texts'], link: WrittenLink | undefined, message: string) => {
      const { content: before, variants } = form.getValues()
      const { content: after, variants: own } = withNetworkTexts({ content: before, variants }, texts)
      form.setFieldValue('variants', own)
      setTextAt(form, COMMON, after)
      if (link) form.setFieldValue('link', link.after)
      offerUndo({ target: COMMON, before, after, link, variants: { before: variants, after: own } }, message)
    },
    /** Undo the last written text if it is in `target` and unchanged. Return whether it was undone. */
    undoLast: (target: TextTarget): boolean => {
      const written = last.current
      // the browser undoes what was typed since
      if (!written || written.target !== target || textAt(form.getValues(), target) !== written.after) return false
      const { variants } = form.getValues()
      if (written.variants && changedFields({ variants }, { variants: written.variants.after }).length > 0) return false
      undo(written)
      return true
    },
  }
}
