import { Button } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { IconArrowDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, type ComponentType, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { TemplateOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { FormErrors } from '@/components/form-errors'
import { NewerBanner } from '@/components/newer-banner'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { SaveBar } from '@/components/save-bar'
import { RowSkeletons } from '@/components/skeletons'
import { cardWords } from '@/lib/card-settings'
import { paths } from '@/lib/paths'
import { indexOf, sameName, segmentsOf, withValues } from '@/lib/template-segments'
import { templateCheckQuery } from '@/features/templates/api'
import { BodyEditor, type BodyEditorHandle } from './body-editor'
import type { LogoField } from './card-panel'
import type { DetailsPanelProps } from './details-panel'
import { comparePath } from '@/features/templates/links'
import { TemplateErrors } from './template-errors'
import type { TemplateHeaderProps } from './template-header'
import { TemplateInputs } from './template-inputs'
import '@/features/templates/templates.css'
import type { TryoutPanelHandle, TryoutPanelProps } from '@/features/templates/tryouts/tryout-panel'
import { inputOf } from '@/features/templates/tryouts/tryout-values'
import { useTemplateForm } from './use-template-form'
import { useTryoutInputs } from '@/features/templates/tryouts/use-tryout-inputs'

/** Below the text, and filled by what the server says of its models. */
export const ModelPanel = lazyPart(
  async () =>
    (await import('./model-panel')).ModelPanel,
  <section className="panel model-space" />,
)

const CHECK_AFTER = 300 // ms without a key

interface TemplateEditorProps {
  /** Nothing for a new one. */
  template?: TemplateOut
  /** It was deleted elsewhere. */
  gone?: boolean
  onCreated: (templateId: string) => void
  logoField: LogoField
  /** Its name and what it is for: beside the text of a new one, below that of another. */
  detailsPanel: ComponentType<DetailsPanelProps>
  /** Of one that is saved. */
  header?: ComponentType<TemplateHeaderProps>
  /** Where one that is saved can be tried. */
  tryoutPanel?: ComponentType<TryoutPanelProps>
}

/** The text and how its model works on the left; on the right what comes of it. */
export function TemplateEditor({ template, gone = false, onCreated, logoField, ...panels }: TemplateEditorProps) {
  const { t } = useTranslation(['common', 'templates'])
  const { header: Header, detailsPanel: DetailsPanel, tryoutPanel: TryoutPanel } = panels
  const editor = useRef<BodyEditorHandle>(null)
  const panel = useRef<TryoutPanelHandle>(null)
  const focusFirst = (errors: Record<string, unknown>) => {
    if ('name' in errors) form.getInputNode('name')?.focus()
    else if ('body' in errors) editor.current?.focus()
    else if ('tags' in errors) form.getInputNode('tags')?.focus()
  }
  const notices = useRef<HTMLDivElement>(null)
  const showNotices = () => {
    notices.current?.focus()
    notices.current?.scrollIntoView({ block: 'center' })
  }
  const state = useTemplateForm({ template, gone, onCreated, onInvalid: focusFirst, onRefused: showNotices })
  const { form, changes, newer, version } = state
  const { values } = form
  const [checkedBody] = useDebouncedValue(values.body, CHECK_AFTER)
  const check = useQuery(templateCheckQuery(values.type, checkedBody))
  const inputs = useTryoutInputs(template?.id, check.data?.variables ?? [], values)
  // nothing until the variables are known: a card of bare names would be drawn for nobody
  const words = cardWords(check.data ? withValues(values.body, (name) => inputOf(inputs.values, name)) : '')
  // in the text as well as in every field
  useHotkeys([['mod+S', () => changes > 0 && state.submit()]], [], true)

  const showVariable = (name: string) => {
    let at = 0
    for (const segment of segmentsOf(values.body)) {
      if (segment.name && sameName(segment.name, name)) {
        editor.current?.select(at, at + segment.text.length)
        return
      }
      at += segment.text.length
    }
  }
  const goTo = (line: number, column: number) => {
    const at = indexOf(values.body, line, column)
    editor.current?.select(at, at + 2)
  }
  const startByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    panel.current?.start()
  }
  function saveLabel(): string | undefined {
    if (gone) return t('templates:saveAsNew')
    return template && t('templates:saveVersion', { number: Math.max(version, template.version) + 1 })
  }
  const details = <DetailsPanel form={form} />
  const model = <ModelPanel form={form} words={words} logoField={logoField} />
  return (
    <div className="page-wide">
      {Header && template && !gone ? (
        <Header template={template} tab="editor" version={version} unsaved={changes > 0} />
      ) : (
        <PageHeader crumbs={[{ label: t('templates:title'), to: paths.templates }]} title={template?.name ?? t('templates:newTitle')} />
      )}
      <div className="notices" ref={notices} tabIndex={-1}>
        {gone && (
          <Banner
            tone="warn"
            title={t('templates:goneTitle')}
            action={
              <span className="banner-actions">
                <Button size="xs" variant="default" loading={state.saving} onClick={() => state.submit()}>
                  {t('templates:saveAsNew')}
                </Button>
                <Button size="xs" variant="default" component={Link} to={paths.templates}>
                  {t('templates:backToList')}
                </Button>
              </span>
            }
          >
            {t('templates:goneText')}
          </Banner>
        )}
        {newer && (
          <NewerBanner
            title={t('templates:staleTitle', { number: newer.version })}
            loadLabel={t('templates:loadNewer', { number: newer.version })}
            onLoad={() => state.loadNewer(newer)}
            onKeep={() => state.keepMine(newer)}
          >
            <Button size="xs" variant="default" component={Link} to={comparePath(newer.id, version, newer.version)}>
              {t('templates:seeChanges')}
            </Button>
          </NewerBanner>
        )}
        {state.message && (
          <div className="form-errors" role="alert">
            {state.message}
          </div>
        )}
        <FormErrors fields={form.errors} />
      </div>
      <div className="editor" onKeyDown={startByKey}>
        <form className="stack" onSubmit={state.submit} noValidate>
          <BodyEditor
            ref={editor}
            type={values.type}
            value={values.body}
            onChange={(body) => form.setFieldValue('body', body)}
            onBlur={() => form.validateField('body')}
            check={check.data}
            // the syntax has its own list below
            error={check.data?.errors.length ? undefined : form.errors.body}
          >
            <TemplateErrors errors={check.data?.errors ?? []} onGoTo={goTo} />
          </BodyEditor>
          {template && !gone && (
            <Button
              className="to-try"
              variant="default"
              leftSection={<IconArrowDown size={15} aria-hidden />}
              onClick={() => panel.current?.show()}
            >
              {t('templates:tryout.goThere')}
            </Button>
          )}
          <TemplateInputs check={check.data} failed={check.isError} onShow={showVariable} />
          {template && details}
          {template && model}
        </form>
        {TryoutPanel && template && !gone ? (
          <Suspense fallback={<RowSkeletons />}>
            <TryoutPanel
              ref={panel}
              template={template}
              values={values}
              changes={changes}
              variables={check.data?.variables ?? []}
              // what was checked may be some keys behind
              broken={(check.data?.errors.length ?? 0) > 0}
              inputs={inputs}
            />
          </Suspense>
        ) : (
          <form className="stack" onSubmit={state.submit} noValidate>
            {!template && details}
            {!template && model}
            <Panel title={t('templates:tryout.title')}>
              <p className="inputs-none">{t('templates:tryout.saveFirst')}</p>
            </Panel>
          </form>
        )}
      </div>
      <form className="save-form" onSubmit={state.submit} noValidate>
        <SaveBar
          changes={changes}
          saving={state.saving}
          onDiscard={state.discard}
          saveLabel={saveLabel()}
          isNew={!template}
        />
      </form>
    </div>
  )
}
