import { Button, Select, Textarea, TextInput } from '@mantine/core'
import { useElementSize, useId, useMergedRef } from '@mantine/hooks'
import { IconInfoCircle, IconPlayerPlay } from '@tabler/icons-react'
import { useImperativeHandle, useRef, type CSSProperties, type ReactNode, type Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { TryoutInSchema } from '@/api/schemas.gen'
import type { TemplateOut, TryoutIn, TryoutOut } from '@/api/types.gen'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { withRemedy } from '@/components/problem-text'
import { languages } from '@/i18n/languages'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { fieldErrors, problemText } from '@/lib/problems'
import { isFilledIn, keyOf } from '@/lib/template-segments'
import { useUrlFilters } from '@/lib/url-filters'
import { useFocusInvalid } from '@/lib/use-focus-invalid'
import { useLastTryout, useStartTryout } from '@/features/templates/api'
import { languageValue } from './tryout-values'
import type { Values } from '@/features/templates/editor/template-values'
import type { TryoutInputs } from './use-tryout-inputs'

/** Loaded later, since they need a response of the server. */
export const PastTryouts = lazyPart(
  async () => (await import('./past-tryouts')).PastTryouts,
)

const LONGEST = TryoutInSchema.properties.inputs.additionalProperties.maxLength

export interface TryoutPanelHandle {
  start: () => void
  /** Scroll to the panel, and focus its first field. */
  show: () => void
}

export interface TryoutPanelProps {
  template: TemplateOut
  /** The values in the editor, saved or not. */
  values: Values
  /** The number of unsaved values. */
  changes: number
  variables: readonly string[]
  /** The text has errors, such as a variable without an end. */
  broken: boolean
  inputs: TryoutInputs
  ref: Ref<TryoutPanelHandle>
}

/** Inputs, a try-out of the text in the editor, its result, and earlier try-outs. */
export function TryoutPanel({ template, values, changes, variables, broken, inputs, ref }: TryoutPanelProps) {
  const { t } = useTranslation(['common', 'templates'])
  const { filter, change } = useUrlFilters()
  const panel = useRef<HTMLDivElement>(null)
  const { ref: measured, height } = useElementSize({ box: 'border-box' })
  const element = useMergedRef(panel, measured)
  const starting = useStartTryout()
  const startOnce = useMutateOnce(starting)
  const last = useLastTryout(template.id)
  const shown = filter('tryout') || last.data?.items[0]?.id

  const blocked = whyNot()
  function whyNot(): Blocked | null {
    if (broken) return 'broken'
    if (values.body.trim() === '') return 'empty'
    return values.type === template.type ? null : 'typeChanged'
  }
  const send = (body: TryoutIn) =>
    startOnce(
      { path: { template_id: template.id }, body },
      { onSuccess: (tryout) => change({ tryout: tryout.id, show: null }) },
    )
  const start = () => {
    if (blocked !== null) return
    inputs.hold(variables)
    send({ body: values.body, settings: values.settings, language: values.language, inputs: inputs.values })
  }
  /** Repeat an earlier try-out with its text, which may differ from the one in the editor. */
  const repeat = ({ body, settings, language, inputs }: TryoutOut) => send({ body, settings, language, inputs })
  useImperativeHandle(ref, () => ({
    start,
    show: () => {
      panel.current?.scrollIntoView({ block: 'start' })
      panel.current?.querySelector<HTMLElement>('input, textarea, button')?.focus({ preventScroll: true })
    },
  }))

  const total = last.data?.total ?? 0
  return (
    <div className="tryouts" ref={element} style={{ '--tryouts-height': `${height}px` } as CSSProperties}>
      <Panel
        title={t('templates:tryout.title')}
        aside={<span className="num">{t('templates:tryout.earlier', { count: total })}</span>}
      >
        <TryoutForm
          variables={variables}
          inputs={inputs}
          changes={changes}
          blocked={blocked}
          starting={starting}
          onStart={start}
        />
      </Panel>
      <PastTryouts
        template={template}
        total={total}
        shown={shown}
        onAgain={repeat}
        onUseInputs={({ inputs: earlier }) => inputs.load(earlier)}
        onGone={() => change({ tryout: null, show: null })}
      />
    </div>
  )
}

/** Why the text cannot be tried. */
type Blocked = 'broken' | 'empty' | 'typeChanged'

interface TryoutFormProps extends Pick<TryoutPanelProps, 'variables' | 'inputs' | 'changes'> {
  blocked: Blocked | null
  starting: ReturnType<typeof useStartTryout>
  onStart: () => void
}

/** The values of the variables, and the button that starts a try-out. */
function TryoutForm({ variables, inputs, changes, blocked, starting, onStart }: TryoutFormProps) {
  const { t } = useTranslation(['common', 'errors', 'templates'])
  const fields = useRef<HTMLDivElement>(null)
  const problem = starting.error
  useFocusInvalid(fields, problem)
  const errors = problem ? fieldErrors(t, problem) : {}
  const otherFields = Object.keys(errors).filter((field) => !field.startsWith('inputs.'))
  const message = problem && (problem.errors.length === 0 ? problemText(t, problem) : errors[otherFields[0] ?? ''])
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        onStart()
      }}
    >
      {variables.length > 0 && (
        <div className="tryout-inputs" ref={fields}>
          {variables.map((name) => (
            <TryoutInput
              key={keyOf(name)}
              name={name}
              value={inputs.values[name] ?? ''}
              error={errors[`inputs.${name}`]}
              onFocus={() => inputs.hold([name])}
              onChange={(value) => {
                inputs.set(name, value)
                if (starting.isError) starting.reset()
              }}
            />
          ))}
        </div>
      )}
      {changes > 0 && (
        <p className="note">
          <IconInfoCircle size={16} aria-hidden /> {t('templates:tryout.unsaved', { count: changes })}
        </p>
      )}
      <Button
        className="tryout-start"
        type="submit"
        variant="light"
        fullWidth
        disabled={blocked !== null}
        loading={starting.isPending}
        leftSection={<IconPlayerPlay size={15} aria-hidden />}
        rightSection={<kbd className="tryout-key">{t('templates:tryout.key')}</kbd>}
      >
        {t('templates:tryout.run')}
      </Button>
      <div role="status">
        {blocked && <p className="field-note">{t(`templates:tryout.blocked.${blocked}`)}</p>}
      </div>
      {message && (
        <div className="form-errors" role="alert">
          {t('templates:tryout.startFailed')} {withRemedy(problem?.code, message)}
        </div>
      )}
    </form>
  )
}

interface TryoutInputProps {
  name: string
  value: string
  error: ReactNode
  onFocus: () => void
  onChange: (value: string) => void
}

function TryoutInput({ name, value, error, onFocus, onChange }: TryoutInputProps) {
  const { t } = useTranslation()
  const id = useId()
  const kind = keyOf(name)
  const label = (
    <span className="tryout-label" data-own={!isFilledIn(name) || undefined}>
      <i aria-hidden="true" />
      {name}
    </span>
  )
  const shared = { id, label, error, value, maxLength: LONGEST, onFocus }
  if (kind === 'language') {
    const choices = languages.map((language) => ({ value: languageValue(language), label: t(`languages.${language}`) }))
    const currentOption = choices.some((choice) => choice.value === value) || value === '' ? [] : [{ value, label: value }]
    return (
      <Select
        id={id}
        label={label}
        error={error}
        onFocus={onFocus}
        data={[...choices, ...currentOption]}
        value={value}
        onChange={(next) => next && onChange(next)}
      />
    )
  }
  if (kind === 'content')
    return (
      <Textarea
        {...shared}
        className="tryout-wide"
        autosize
        minRows={2}
        maxRows={8}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
    )
  // also a date, which prompts have in words that a date field would not accept
  return <TextInput {...shared} onChange={(event) => onChange(event.currentTarget.value)} />
}
