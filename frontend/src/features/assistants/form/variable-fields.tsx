import { Textarea } from '@mantine/core'
import { useQueries } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import type { AssistantOut, TemplateOut } from '@/api/types.gen'
import { templateCheckQuery } from '@/features/assistants/api'
import { useAssistantForm } from './assistant-form-context'

interface VariableFieldsProps {
  templates: readonly TemplateOut[]
  assistant: AssistantOut | null
}

/** A field for each variable of the chosen templates that Postloom does not fill in. */
export function VariableFields({ templates, assistant }: VariableFieldsProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { variables, template_version_id, image_template_version_id, image_source } = form.values
  const versions = [template_version_id, image_source === 'template' ? image_template_version_id : null].filter(
    (version) => version !== null,
  )
  const chosen = templates.filter((template) => versions.includes(template.version_id))
  const templateVariables = useQueries({
    queries: chosen.map(templateCheckQuery),
    combine: (checks) =>
      checks.flatMap(({ data }) => data?.variables.filter((name) => !includesName(data.reserved, name)) ?? []),
  })
  // the server lists the variables of the newest versions only; for an older one, show those with a value or missing
  const older = versions.length > chosen.length
  const missingNames = assistant?.missing.flatMap(({ field }) => /^variables\.(.+)$/.exec(field)?.[1] ?? []) ?? []
  const names = unique(templateVariables.concat(older ? Object.keys(variables).concat(missingNames) : []))
  if (names.length === 0 && !older) return null
  return (
    <fieldset className="plain">
      {names.length > 0 && <legend>{t('assistants:form.variables')}</legend>}
      {names.length > 0 && <p className="field-note">{t('assistants:form.variablesHint')}</p>}
      <div className="stack">
        {names.map((name) => (
          <div key={name} data-field={`variables.${name}`}>
            <Textarea
              label={name}
              autosize
              minRows={1}
              maxRows={6}
              value={variables[name] ?? ''}
              error={form.errors[`variables.${name}`]}
              onChange={(event) => {
                form.setFieldValue('variables', { ...variables, [name]: event.currentTarget.value })
                form.clearFieldError(`variables.${name}`)
              }}
            />
          </div>
        ))}
      </div>
      {older && <p className="field-note">{t('assistants:form.oldVersion')}</p>}
    </fieldset>
  )
}

const includesName = (names: readonly string[], name: string) =>
  names.some((candidate) => candidate.toLowerCase() === name.toLowerCase())

/** Return the names without duplicates, ignoring case. */
const unique = (names: string[]) => names.filter((name, index) => !includesName(names.slice(0, index), name))
