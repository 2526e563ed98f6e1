import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { IconInfoCircle, IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useImperativeHandle, useRef, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut, TryoutIn, TryoutOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { Panel } from '@/components/panel'
import { languageNames, languages } from '@/i18n/languages'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { fieldErrors, problemText } from '@/lib/problems'
import { isReserved, keyOf } from '@/lib/template-segments'
import { useUrlFilters } from '@/lib/url-filters'
import { runQuery, useLastRun, useRefetchHistory, useStartRun } from './api'
import { TryHistory } from './try-history'
import { TryResult } from './try-result'
import { LANGUAGE_VALUES } from './try-values'
import type { Values } from './use-template-form'
import type { TryInputs } from './use-try-inputs'

const LONGEST = 10_000 // characters that the server takes for one value

export interface TryPanelHandle {
  run: () => void
  /** Brings it into view and puts the focus there. */
  show: () => void
}

interface TryPanelProps {
  template: TemplateOut
  /** What is in the editor, saved or not. */
  values: Values
  /** How many of the values are not saved. */
  changes: number
  variables: readonly string[]
  /** Variables that can't be read. */
  broken: boolean
  inputs: TryInputs
  ref: Ref<TryPanelHandle>
}

/** Inputs, a run of what is in the editor, its result, and the earlier ones. */
export function TryPanel({ template, values, changes, variables, broken, inputs, ref }: TryPanelProps) {
  const { t } = useTranslation()
  const { filter, change } = useUrlFilters()
  const panel = useRef<HTMLDivElement>(null)
  const start = useStartRun()
  const startOnce = useMutateOnce(start)
  const last = useLastRun(template.id)
  const asked = filter('run')
  const shown = asked || last.data?.items[0]?.id

  const blocked = whyNot()
  function whyNot(): 'broken' | 'empty' | 'typeChanged' | null {
    if (broken) return 'broken'
    if (values.body.trim() === '') return 'empty'
    return values.type === template.type ? null : 'typeChanged'
  }
  const send = (body: TryoutIn) =>
    startOnce(
      { path: { template_id: template.id }, body },
      { onSuccess: (run) => change({ run: run.id, show: null }) },
    )
  const run = () => {
    if (blocked !== null) return
    inputs.hold(variables)
    send({ body: values.body, settings: values.settings, language: values.language, inputs: inputs.values })
  }
  /** Exactly as it was, whatever stands in the editor now. */
  const again = ({ body, settings, language, inputs }: TryoutOut) => send({ body, settings, language, inputs })
  useImperativeHandle(ref, () => ({
    run,
    show: () => {
      panel.current?.scrollIntoView({ block: 'start' })
      panel.current?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
    },
  }))

  const problem = start.error
  useEffect(() => {
    if (problem) panel.current?.querySelector<HTMLElement>('.try-inputs [aria-invalid="true"]')?.focus()
  }, [problem])
  const errors = problem ? fieldErrors(t, problem) : {}
  const elsewhere = Object.keys(errors).filter((field) => !field.startsWith('inputs.'))
  const message = problem && (problem.errors.length === 0 ? problemText(t, problem) : errors[elsewhere[0] ?? ''])
  const total = last.data?.total ?? 0
  return (
    <div className="tries" ref={panel}>
      <Panel
        title={t('templates.try.title')}
        aside={<span className="num">{t('templates.try.earlier', { count: total })}</span>}
      >
        <form
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            run()
          }}
        >
          {variables.length > 0 && (
            <div className="try-inputs">
              {variables.map((name) => (
                <TryInput
                  key={keyOf(name)}
                  name={name}
                  value={inputs.values[name] ?? ''}
                  error={errors[`inputs.${name}`]}
                  onFocus={() => inputs.hold([name])}
                  onChange={(value) => {
                    inputs.set(name, value)
                    if (start.isError) start.reset()
                  }}
                />
              ))}
            </div>
          )}
          {changes > 0 && (
            <p className="note">
              <IconInfoCircle size={16} aria-hidden /> {t('templates.try.unsaved', { count: changes })}
            </p>
          )}
          <Button
            className="try-run"
            type="submit"
            variant="light"
            fullWidth
            disabled={blocked !== null}
            loading={start.isPending}
            leftSection={<IconPlayerPlay size={15} aria-hidden />}
            rightSection={<kbd className="try-key">{t('templates.try.key')}</kbd>}
          >
            {t('templates.try.run')}
          </Button>
          <div role="status">
            {blocked && <p className="field-note">{t(`templates.try.blocked.${blocked}`)}</p>}
          </div>
          {message && (
            <div className="form-errors" role="alert">
              {t('templates.try.startFailed')} {message}
            </div>
          )}
        </form>
      </Panel>
      {shown && (
        <ShownRun
          key={shown}
          templateId={template.id}
          runId={shown}
          onAgain={again}
          onUseInputs={({ inputs: earlier }) => inputs.load(earlier)}
          onGone={() => change({ run: null, show: null })}
        />
      )}
      <TryHistory
        template={template}
        total={total}
        shown={shown}
        onAgain={again}
        onUseInputs={({ inputs: earlier }) => inputs.load(earlier)}
      />
    </div>
  )
}

interface TryInputProps {
  name: string
  value: string
  error: ReactNode
  onFocus: () => void
  onChange: (value: string) => void
}

function TryInput({ name, value, error, onFocus, onChange }: TryInputProps) {
  const id = useId()
  const kind = keyOf(name)
  const label = (
    <span className="try-label" data-own={!isReserved(name) || undefined}>
      <i aria-hidden="true" />
      {name}
    </span>
  )
  const shared = { id, label, error, value, maxLength: LONGEST, onFocus }
  if (kind === 'language') {
    const known = languages.map((language) => ({ value: LANGUAGE_VALUES[language], label: languageNames[language] }))
    const other = known.some((choice) => choice.value === value) || value === '' ? [] : [{ value, label: value }]
    return (
      <Select
        id={id}
        label={label}
        error={error}
        onFocus={onFocus}
        allowDeselect={false}
        data={[...known, ...other]}
        value={value}
        onChange={(next) => next && onChange(next)}
      />
    )
  }
  if (kind === 'content')
    return (
      <Textarea
        {...shared}
        className="try-wide"
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  return (
    <TextInput
      {...shared}
      type={kind === 'date' ? 'date' : 'text'}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

interface ShownRunProps {
  templateId: string
  runId: string
  onAgain: (run: TryoutOut) => void
  onUseInputs: (run: TryoutOut) => void
  /** It was deleted, or its address is wrong. */
  onGone: () => void
}

function ShownRun({ templateId, runId, onAgain, onUseInputs, onGone }: ShownRunProps) {
  const { t } = useTranslation()
  const refetchHistory = useRefetchHistory()
  const { data: run, error, refetch } = useQuery(runQuery(templateId, runId))
  const state = run?.state
  const before = useRef(state)
  useEffect(() => {
    // the list does not follow every word; it learns how a run went on
    if (before.current !== undefined && before.current !== state) void refetchHistory()
    before.current = state
  }, [state, refetchHistory])
  if (run) return <TryResult run={run} onAgain={() => onAgain(run)} onUseInputs={() => onUseInputs(run)} />
  if (error?.code === 'not_found')
    return (
      <Panel>
        <p className="gone">
          <span className="grow">{t('templates.try.gone')}</span>
          <Button size="xs" variant="default" onClick={onGone}>
            {t('templates.try.showLast')}
          </Button>
        </p>
      </Panel>
    )
  if (error)
    return <Failure title={t('templates.try.readFailed')} problem={error} onRetry={() => void refetch()} />
  return null
}
