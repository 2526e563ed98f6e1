import { ActionIcon, Button } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState, type RefObject } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateChoice } from '@/components/template-fields'
import { TemplateFields } from '@/components/template-fields'
import { Thread } from '@/components/thread'
import { WriterNote } from '@/components/writer-note'
import { panelKeys } from '@/components/writing-panel'
import type { AppliedText } from '@/features/articles/editor/use-applied-text'
import { fieldErrors } from '@/lib/problems'
import { useFocusInvalid } from '@/lib/use-focus-invalid'
import { flowProgress, type FlowValues } from './flow-progress'
import { OutlineStep, SearchStep, SectionsStep, SummaryStep } from './flow-steps'
import type { Flow, StepName } from './use-flow'

interface FlowPanelProps {
  flow: Flow
  choice: TemplateChoice
  applied: AppliedText
  values: FlowValues
  onContent: (content: string) => void
  onClose: () => void
}

/** The panel that writes an article by a template, step by step: outline, sections, summary, search result. */
export function FlowPanel({ flow, choice, applied, values, onContent, onClose }: FlowPanelProps) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const title = useId()
  const panel = useRef<HTMLElement>(null)
  const [remark, setRemark] = useState('')
  const [writesOutlineAgain, setWritesOutlineAgain] = useState(false)
  const [isBriefOpen, setBriefOpen] = useState(false)
  const { busy } = flow
  const { problem } = flow.writing
  const errors = problem ? fieldErrors(t, problem) : {}
  const progress = flowProgress(values)
  usePanelFocus(panel, flow)

  // missing values have inputs, which stay visible while they are typed
  if (!choice.complete && !isBriefOpen && !busy) setBriefOpen(true)
  // once there is an outline, the fields that it was made from are folded away
  const showsBrief = isBriefOpen || !choice.order || !progress.done.outline || choice.fields.some((field) => field in errors)

  const start = (step: StepName) => {
    flow.start(step, step === 'outline' ? remark.trim() : '')
    setWritesOutlineAgain(false)
    setBriefOpen(false)
    setRemark('')
  }
  const step = { flow, choice, applied, values, progress, errors, onStart: start }
  return (
    <section
      ref={panel}
      className="panel writing-flow"
      role="group"
      aria-labelledby={title}
      data-busy={busy || undefined}
      onKeyDown={panelKeys(onClose)}
    >
      <div className="writing-head">
        <h2 id={title}>{t('articles:writer.flowTitle')}</h2>
        <ActionIcon size={32} aria-label={t('close')} onClick={onClose}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      {showsBrief ? (
        <div className="writing-by">
          <TemplateFields choice={choice} errors={errors} disabled={busy} onChange={flow.clearProblem} />
          <p className="writing-cost">
            <WriterNote />
          </p>
        </div>
      ) : (
        <p className="writing-brief">
          <span className="grow">
            <b>{choice.template?.name}</b> {choice.topic}
          </span>
          <Button size="compact-sm" variant="subtle" disabled={busy} onClick={() => setBriefOpen(true)}>
            {t('articles:writer.changeBrief')}
          </Button>
        </p>
      )}
      <Thread>
        <OutlineStep
          {...step}
          remark={{ isOpen: writesOutlineAgain, text: remark, open: () => setWritesOutlineAgain(true), change: setRemark }}
          onContent={onContent}
        />
        <SectionsStep {...step} />
        <SummaryStep {...step} />
        <SearchStep {...step} />
      </Thread>
    </section>
  )
}

/** Keep the focus and the view of the panel at what comes next: a wrong field, the running step, the next button. */
function usePanelFocus(panel: RefObject<HTMLElement | null>, { busy, writing: { problem } }: Flow): void {
  useFocusInvalid(panel, !busy && problem)
  // where there is nothing to fill in, the next step has the focus
  useEffect(() => {
    const { current } = panel
    if (current && !current.contains(document.activeElement))
      (current.querySelector<HTMLElement>('[data-next]:not(:disabled)') ?? current.querySelector<HTMLElement>('.writing-head button'))?.focus()
  }, [panel])
  useEffect(() => {
    if (busy) panel.current?.querySelector('[data-state="active"]')?.scrollIntoView({ block: 'nearest' })
  }, [panel, busy])
  // the button that had the focus disappears while the step is written
  const wasBusy = useRef(busy)
  useEffect(() => {
    if (wasBusy.current && !busy && !document.activeElement?.closest('input, textarea, [contenteditable]'))
      panel.current?.querySelector<HTMLElement>('[data-next]')?.focus()
    wasBusy.current = busy
  }, [panel, busy])
}
