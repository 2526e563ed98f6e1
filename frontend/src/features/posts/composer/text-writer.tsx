import { Button, Tooltip } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconSparkles, IconTextWrap } from '@tabler/icons-react'
import { lazy, Suspense, useCallback, useRef, useState, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { WritingOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import '@/components/writing.css'
import type { Values } from './composer-values'
import { passageOf, replacePassage, type Passage } from '@/lib/passage'

const TemplatePanel = lazy(() => import('@/components/template-panel'))
const PassagePanel = lazy(() => import('./passage-panel'))

const DEMO = 'demo'

interface Options {
  /** Which of the post's texts is shown. */
  target: string
  values: () => Values
  stored: () => Promise<string | undefined>
  area: RefObject<HTMLTextAreaElement | null>
  /** Nothing for one that was taken away. */
  textOf: (target: string) => string | undefined
  onText: (target: string, text: string) => void
}

interface Written {
  target: string
  before: string
  after: string
}

/** Texts and passages that are written for whoever composes: shown in the field while they come, and taken back by one undo. */
export function useTextWriter({ target, values, stored, area, textOf, onText }: Options) {
  const { t } = useTranslation(['common', 'writing'])
  const [panel, setPanel] = useState<{ target: string; passage?: Passage }>()
  const [coming, setComing] = useState<{ busy: boolean; text: string | null }>({ busy: false, text: null })
  const [selects, setSelects] = useState(false)
  const last = useRef<Written>(undefined)
  /** What the demo writer wrote for each text: named for as long as the text is that. */
  const [demo, setDemo] = useState<Record<string, string>>({})
  /** Ends the offer to take the last one back. */
  const endOffer = useRef<() => void>(undefined)
  const passage = panel?.passage
  // somebody typed, so it is another text than the one in which it was selected
  if (panel && passage && textOf(panel.target) !== passage.text) setPanel(undefined)

  const onShow = useCallback((busy: boolean, text: string | null) => setComing({ busy, text }), [])
  const close = () => {
    setPanel(undefined)
    setComing({ busy: false, text: null })
    area.current?.focus()
  }
  const undo = (written: Written) => {
    if (last.current === written) last.current = undefined
    endOffer.current?.()
    onText(written.target, written.before)
    notifications.show({ message: t('writing:undone') })
    area.current?.focus()
  }
  const take = (made: WritingOut) => {
    if (!panel || made.state === 'failed') return
    const before = textOf(panel.target)
    const stopped = made.state === 'cancelled'
    // half of a passage in the place of a whole one is nothing that anybody wants
    if (made.text === '' || before === undefined || (stopped && passage)) {
      notifications.show({ message: t(stopped ? 'writing:stoppedEmpty' : 'writing:failed') })
      if (!stopped) close()
      return
    }
    const written = { target: panel.target, before, after: passage ? replacePassage(passage, made.text) : made.text }
    last.current = written
    onText(written.target, written.after)
    if (made.provider === DEMO && !passage) setDemo((before) => ({ ...before, [written.target]: written.after }))
    close()
    const what = t(stopped ? 'writing:stopped' : passage ? 'writing:donePassage' : 'writing:done')
    endOffer.current?.()
    endOffer.current = showUndo({
      message: made.provider === DEMO ? `${what} ${t('writing:demo')}` : what,
      label: t('undo'),
      undo: () => undo(written),
    })
  }

  const openPassage = () => {
    const { current } = area
    const found = current && passageOf(current.value, current.selectionStart, current.selectionEnd)
    if (found) setPanel({ target, passage: found })
  }
  const busy = coming.busy && panel?.target === target
  const shared = { values, stored, onShow, onMade: take, onClose: close }
  const tools: ReactNode = (
    <>
      <div className="writing-tools">
        <Button
          size="compact-sm"
          variant="subtle"
          leftSection={<IconSparkles size={14} aria-hidden />}
          aria-expanded={panel !== undefined && !passage}
          disabled={coming.busy}
          onClick={() => setPanel({ target })}
        >
          {t('writing:open')}
        </Button>
        <Tooltip label={t('writing:passageHint')} disabled={selects}>
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconTextWrap size={14} aria-hidden />}
            aria-expanded={passage !== undefined}
            disabled={coming.busy}
            data-disabled={!selects || undefined}
            aria-disabled={!selects}
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
            <TemplatePanel key={panel.target} type="text" {...shared} />
          )}
        </Suspense>
      )}
    </>
  )
  return {
    tools,
    /** Of the text field that shows `text`. */
    field: (text: string) => ({
      value: busy && coming.text !== null ? coming.text : text,
      readOnly: busy,
      'aria-busy': busy,
      onSelect: ({ currentTarget: { value, selectionStart, selectionEnd } }: { currentTarget: HTMLTextAreaElement }) =>
        setSelects(passageOf(value, selectionStart, selectionEnd) !== undefined),
      onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => {
        const written = last.current
        const undoes = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey && event.key.toLowerCase() === 'z'
        // what is typed after it is the browser's to undo
        if (!undoes || !written || written.target !== target || textOf(target) !== written.after) return
        event.preventDefault()
        undo(written)
      },
    }),
  }
}
