import { Button, Input, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { PinnedTemplateOut, TemplateOut } from '@/api/types.gen'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { templateCheckQuery } from '@/features/assistants/api'
import { useAssistantForm } from './assistant-form-context'

interface TemplateSelectProps {
  field: 'template_version_id' | 'image_template_version_id'
  label: string
  templates: readonly TemplateOut[]
  /** The saved template version, which stays selectable even if it is not the newest. */
  pinned: PinnedTemplateOut | null
}

/** The choice of a template version. A newer version is offered, never chosen automatically. */
export function TemplateSelect({ field, label, templates, pinned }: TemplateSelectProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const value = form.values[field]
  const outdated = pinned && pinned.version_id !== pinned.latest_version_id ? pinned : null
  const chosen = templates.find((template) => template.version_id === value)

  const option = (versionId: string, name: string, number: number) => ({
    value: versionId,
    label: t('assistants:form.templateOption', { name, number }),
  })
  const choices = [
    ...(outdated ? [option(outdated.version_id, outdated.name, outdated.number)] : []),
    ...templates.map((template) => option(template.version_id, template.name, template.version)),
  ]
  return (
    <div data-field={field}>
      <Select
        label={label}
        placeholder={t('assistants:form.templatePlaceholder')}
        data={choices}
        clearable
        searchable
        {...form.getInputProps(field)}
      />
      {templates.length === 0 && (
        <NoChoice
          text={t(field === 'template_version_id' ? 'assistants:form.noTemplates' : 'assistants:form.noImageTemplates')}
          to={paths.templates}
          action={t('assistants:form.makeTemplate')}
        />
      )}
      {outdated && value === outdated.version_id && (
        <div className="field-note">
          {t('assistants:form.newer', { number: outdated.latest_number })}{' '}
          <Button variant="light" size="compact-xs" onClick={() => form.setFieldValue(field, outdated.latest_version_id)}>
            {t('assistants:form.takeNewer', { number: outdated.latest_number })}
          </Button>
        </div>
      )}
      {chosen && <Needs template={chosen} />}
    </div>
  )
}

/** The variables that the template needs, shown while choosing. */
function Needs({ template }: { template: TemplateOut }) {
  const { t } = useTranslation(['common', 'errors'])
  const { data } = useQuery(templateCheckQuery(template))
  return data?.needs.map((problem) => (
    <Input.Error key={problem.code} mt={5} role="status">
      {problemText(t, problem)}
    </Input.Error>
  ))
}

export function NoChoice({ text, to, action }: { text: string; to: string; action: string }) {
  return (
    <p className="field-note">
      {text}{' '}
      <Link className="link" to={to}>
        {action}
      </Link>
    </p>
  )
}
