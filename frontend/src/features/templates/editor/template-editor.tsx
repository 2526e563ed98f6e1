import { Button } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { IconArrowDown } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, type ComponentType, type KeyboardEvent } from 'react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut } from '@/api/types.gen'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { Panel } from '@/components/panel'
import { SaveBar } from '@/components/save-bar'
import { RowSkeletons } from '@/components/skeletons'
import { cardWords, pagesText } from '@/lib/card-settings'
import { paths } from '@/lib/paths'
import { withValues } from '@/lib/template-segments'
import { templateCheckQuery } from '@/features/templates/api'
import { BodyEditor, type BodyEditorHandle } from './body-editor'
import type { LogoField } from './card-panel'
import type { DetailsPanelProps } from './details-panel'
import type { TemplateHeaderProps } from './template-header'
import { TemplateInputs } from './template-inputs'
import { TemplateNotices } from './template-notices'
import type { Values } from './template-values'
import '@/features/templates/templates.css'
import type { TryoutPanelHandle, TryoutPanelProps } from '@/features/templates/tryouts/tryout-panel'
import { inputOf, triedVariables } from '@/features/templates/tryouts/tryout-values'
import { useTemplateForm } from './use-template-form'
import { useTryoutInputs } from '@/features/templates/tryouts/use-tryout-inputs'

/** Below the text. Its content needs the models that the server offers. */
export const ModelPanel = lazyPart(
  async () =>
    (await import('./model-panel')).ModelPanel,
  <section className="panel model-space" />,
)

const CHECK_PAUSE = 300 // ms without a keystroke before the text is checked

interface TemplateEditorProps {
  /** Undefined for a new template. */
  template?: TemplateOut
  /** The template was deleted elsewhere. */
  isDeleted?: boolean
  onCreated: (templateId: string) => void
  logoField: LogoField
  /** Name and purpose of the template: beside the text of a new one, below the text of a saved one. */
  detailsPanel: ComponentType<DetailsPanelProps>
  /** The header of a saved template. */
  header?: ComponentType<TemplateHeaderProps>
  /** Where a saved template is tried. */
  tryoutPanel?: ComponentType<TryoutPanelProps>
}

/** The text and the settings of its model on the left, the try-out on the right. */
export function TemplateEditor({ template, isDeleted = false, onCreated, logoField, ...panels }: TemplateEditorProps) {
  const { t } = useTranslation(['common', 'templates'])
  const { header: Header, detailsPanel: DetailsPanel, tryoutPanel: TryoutPanel } = panels
  const editor = useRef<BodyEditorHandle>(null)
  const panel = useRef<TryoutPanelHandle>(null)
  const notices = useRef<HTMLDivElement>(null)
  const focusFirst = (errors: Record<string, unknown>) => {
    if ('name' in errors) form.getInputNode('name')?.focus()
    else if ('body' in errors) editor.current?.focus()
    else if ('tags' in errors) form.getInputNode('tags')?.focus()
  }
  const showNotices = () => {
    notices.current?.focus()
    notices.current?.scrollIntoView({ block: 'center' })
  }
  const edited = useTemplateForm({ template, isDeleted, onCreated, onInvalid: focusFirst, onRefused: showNotices })
  const { form, changes, version, submit } = edited
  const { values } = form
  /** The template on the server; undefined for a new or a deleted one. */
  const stored = isDeleted ? undefined : template
  const { check, variables, inputs, words, carousel } = useCheckedText(template?.id, values)
  // also while a field has the focus
  useHotkeys([['mod+S', () => changes > 0 && submit()]], [], true)

  const startByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    panel.current?.start()
  }
  function saveLabel(): string | undefined {
    if (isDeleted) return t('templates:saveAsNew')
    return template && t('templates:saveVersion', { number: Math.max(version, template.version) + 1 })
  }
  const settings = (
    <>
      <DetailsPanel form={form} />
      <ModelPanel form={form} words={words} carousel={carousel} logoField={logoField} />
    </>
  )
  return (
    <div className="page-wide">
      {Header && stored ? (
        <Header template={stored} tab="editor" version={version} unsaved={changes > 0} />
      ) : (
        <PageHeader crumbs={[{ label: t('templates:title'), to: paths.templates }]} title={template?.name ?? t('templates:newTitle')} />
      )}
      <TemplateNotices ref={notices} edited={edited} isDeleted={isDeleted} />
      <div className="editor" onKeyDown={startByKey}>
        <form className="stack" onSubmit={submit} noValidate>
          <BodyEditor
            ref={editor}
            type={values.type}
            value={values.body}
            onChange={(body) => form.setFieldValue('body', body)}
            onBlur={() => form.validateField('body')}
            check={check.data}
            error={form.errors.body}
          />
          {stored && <ToTryoutButton onClick={() => panel.current?.show()} />}
          <TemplateInputs check={check.data} failed={check.isError} onShow={(name) => editor.current?.showVariable(name)} />
          {template && settings}
        </form>
        {TryoutPanel && stored ? (
          <Suspense fallback={<RowSkeletons />}>
            <TryoutPanel
              ref={panel}
              template={stored}
              values={values}
              changes={changes}
              variables={variables}
              // the checked text may be older than the typed one
              broken={(check.data?.errors.length ?? 0) > 0}
              inputs={inputs}
            />
          </Suspense>
        ) : (
          <form className="stack" onSubmit={submit} noValidate>
            {!template && settings}
            <SaveFirst />
          </form>
        )}
      </div>
      <form className="save-form" onSubmit={submit} noValidate>
        <SaveBar
          changes={changes}
          saving={edited.saving}
          onDiscard={edited.discard}
          saveLabel={saveLabel()}
          isNew={!template}
        />
      </form>
    </div>
  )
}

/** Check the text after a pause in typing. Return its variables, their values in the try-out, the words of its card, and what becomes the pages of a carousel. */
function useCheckedText(templateId: string | undefined, values: Values) {
  const [checkedBody] = useDebouncedValue(values.body, CHECK_PAUSE)
  const check = useQuery(templateCheckQuery(values.type, checkedBody))
  const isCarousel = values.type === 'image' && values.settings.image.engine === 'carousel'
  const variables = triedVariables(check.data?.variables ?? [], isCarousel)
  const inputs = useTryoutInputs(templateId, variables, values)
  // empty until the variables are known, since a card of bare names is of no use
  const words = cardWords(check.data ? withValues(values.body, (name) => inputOf(inputs.values, name)) : '')
  const carousel = pagesText(check.data ? values.body : '', (name) => inputOf(inputs.values, name))
  return { check, variables, inputs, words, carousel }
}

/** The place of the try-out while the template is not on the server. */
function SaveFirst() {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <Panel title={t('templates:tryout.title')}>
      <p className="inputs-none">{t('templates:tryout.saveFirst')}</p>
    </Panel>
  )
}

/** Goes to the try-out, which is below the text on narrow screens. */
function ToTryoutButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <Button className="to-try" variant="default" leftSection={<IconArrowDown size={15} aria-hidden />} onClick={onClick}>
      {t('templates:tryout.goThere')}
    </Button>
  )
}
