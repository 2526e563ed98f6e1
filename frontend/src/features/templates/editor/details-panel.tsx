import { SegmentedControl, Select, Textarea, TextInput } from '@mantine/core'
import { useId } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { TemplateInSchema } from '@/api/schemas.gen'
import { TemplateType } from '@/api/types.gen'
import { Panel } from '@/components/panel'
import { TagInput } from '@/components/tag-input'
import { isLanguage, languages } from '@/i18n/languages'
import { templateTagsQuery } from '@/features/templates/api'
import type { TemplateForm } from './use-template-form'

export interface DetailsPanelProps {
  form: TemplateForm
}

/** The template's name and purpose. */
export function DetailsPanel({ form }: DetailsPanelProps) {
  const { t } = useTranslation(['common', 'templates'])
  const typeLabel = useId()
  const tags = useQuery(templateTagsQuery)
  return (
    <Panel title={t('templates:details')}>
      <div className="stack">
        <TextInput label={t('templates:name')} maxLength={TemplateInSchema.properties.name.maxLength} key={form.key('name')} {...form.getInputProps('name')} />
        <div className="field-pair">
          <div>
            <div className="field-label" id={typeLabel}>
              {t('templates:type')}
            </div>
            <SegmentedControl
              fullWidth
              aria-labelledby={typeLabel}
              data={Object.values(TemplateType).map((value) => ({ value, label: t(`templates:kinds.${value}`) }))}
              {...form.getInputProps('type')}
            />
          </div>
          <Select
            label={t('templates:language')}
            data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
            value={form.values.language}
            onChange={(value) => value && isLanguage(value) && form.setFieldValue('language', value)}
          />
        </div>
        <TagInput
          label={`${t('templates:tags')} ${t('optional')}`}
          description={t('templates:addTag')}
          tags={tags.data}
          {...form.getInputProps('tags')}
        />
        <Textarea
          label={`${t('templates:description')} ${t('optional')}`}
          autosize
          minRows={2}
          maxLength={TemplateInSchema.properties.description.maxLength}
          {...form.getInputProps('description')}
        />
      </div>
    </Panel>
  )
}
