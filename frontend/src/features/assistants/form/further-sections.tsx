import { NumberInput, Select } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { AssistantInSchema } from '@/api/schemas.gen'
import { ImageFallback, ImageOrder, ImageSource } from '@/api/types.gen'
import type { AssistantOut } from '@/api/types.gen'
import { FormSection } from '@/components/form-section'
import { useFormat } from '@/i18n/use-format'
import { AccountPicks } from './account-picks'
import type { Choices, ImagesField } from './form-choices'
import { useAssistantForm } from './assistant-form-context'
import { BudgetFields } from './budget-fields'
import { DryRun } from './dry-run'
import { defaultLead, writtenFor } from './form-values'
import { ModePicks } from './mode-picks'
import { ScheduleFields } from './schedule-fields'
import { TemplateSelect } from './template-select'

interface FurtherSectionsProps {
  choices: Choices
  assistant: AssistantOut | null
  imagesField: ImagesField
  /** Called with the form's errors by field. */
  onErrors: (errors: Record<string, ReactNode>) => void
}

/** Schedule, accounts, image, approval mode, budget and a sample. */
export function FurtherSections({ choices, assistant, imagesField, onErrors }: FurtherSectionsProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const format = useFormat()
  const form = useAssistantForm()
  const written = writtenFor(form.values)
  return (
    <>
      <FormSection title={t('assistants:form.when')} hint={t('assistants:form.whenHint')}>
        <ScheduleFields />
      </FormSection>
      <FormSection title={t('assistants:form.image')} hint={t(`assistants:form.imageHint.${written}`)}>
        <ImageFields choices={choices} assistant={assistant} imagesField={imagesField} />
      </FormSection>
      {written === 'post' && (
        <FormSection title={t('assistants:form.where')} hint={t('assistants:form.whereHint')}>
          <AccountPicks accounts={choices.accounts} assistant={assistant} />
        </FormSection>
      )}
      <FormSection title={t('assistants:form.alone')} hint={t('assistants:form.aloneHint')}>
        <ModePicks accounts={choices.accounts} />
        <div className="pair level">
          <NumberInput
            label={t('assistants:form.lead')}
            description={t(`assistants:form.leadHint.${form.values.mode === 'approval' ? 'approval' : written}`, { count: defaultLead(form.values.mode) })}
            min={1}
            max={AssistantInSchema.properties.lead_minutes.maximum}
            allowDecimal={false}
            placeholder={String(defaultLead(form.values.mode))}
            startValue={defaultLead(form.values.mode)}
            {...form.getInputProps('lead_minutes')}
          />
          <NumberInput
            label={t('assistants:form.catchUp')}
            description={t(`assistants:form.catchUpHint.${written}`, {
              count: choices.options.catch_up_minutes,
              most: format.number(choices.options.most_catch_up_minutes),
            })}
            min={0}
            max={choices.options.most_catch_up_minutes}
            allowDecimal={false}
            placeholder={String(choices.options.catch_up_minutes)}
            startValue={choices.options.catch_up_minutes}
            {...form.getInputProps('catch_up_minutes')}
          />
        </div>
        <BudgetFields assistant={assistant} />
      </FormSection>
      <FormSection title={t('assistants:form.dryRun.title')} hint={t(`assistants:form.dryRun.hint.${written}`)}>
        <DryRun assistant={assistant} onErrors={onErrors} />
      </FormSection>
    </>
  )
}

function ImageFields({ choices, assistant, imagesField: Images }: Omit<FurtherSectionsProps, 'onErrors'>) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { image_source, image_media_ids } = form.values
  return (
    <>
      <div className="pair">
        <Select
          label={t('assistants:form.imageSource')}
          data={Object.values(ImageSource).map((value) => ({ value, label: t(`assistants:form.imageSources.${value}`) }))}
          {...form.getInputProps('image_source')}
        />
        {image_source === 'template' && (
          <TemplateSelect
            field="image_template_version_id"
            label={t('assistants:form.imageTemplate')}
            templates={choices.imageTemplates}
            pinned={assistant?.image_template ?? null}
          />
        )}
        {image_source === 'own' && (
          <Select
            label={t('assistants:form.imageOrder')}
            data={Object.values(ImageOrder).map((value) => ({ value, label: t(`assistants:form.imageOrders.${value}`) }))}
            {...form.getInputProps('image_order')}
          />
        )}
      </div>
      {image_source === 'own' && (
        <div data-field="image_media_ids">
          <Images
            label={t('assistants:form.ownImages')}
            value={image_media_ids}
            most={choices.options.most_images}
            error={form.errors.image_media_ids}
            onChange={(ids) => {
              form.setFieldValue('image_media_ids', ids)
              form.clearFieldError('image_media_ids')
            }}
          />
        </div>
      )}
      {image_source === 'template' && (
        <div className="pair">
          <Select
            label={t('assistants:form.imageFallback')}
            description={t('assistants:form.imageFallbackHint')}
            data={Object.values(ImageFallback).map((value) => ({ value, label: t(`assistants:form.imageFallbacks.${value}`) }))}
            {...form.getInputProps('image_fallback')}
          />
        </div>
      )}
    </>
  )
}
