import type { ReactNode } from 'react'
import { ImageOrder, ImageSource } from '@/api/types.gen'
import type { AssistantOut } from '@/api/types.gen'
import { FormSection } from '@/components/form-section'
import { LaterNumberInput } from '@/components/later-number-input'
import { LaterSelect } from '@/components/later-select'
import { useTranslation } from '@/i18n/translation'
import { useFormat } from '@/i18n/use-format'
import { AccountPicks } from './account-picks'
import type { Choices, ImagesField } from './assistant-form'
import { useAssistantForm } from './assistant-form-context'
import { BudgetFields } from './budget-fields'
import { DryRun } from './dry-run'
import { usualLead, writtenFor } from './form-values'
import { ModePicks } from './mode-picks'
import { ScheduleFields } from './schedule-fields'
import { TemplateSelect } from './template-select'

interface FurtherSectionsProps {
  choices: Choices
  assistant: AssistantOut | null
  imagesField: ImagesField
  /** What the form lacks, by field. */
  onErrors: (errors: Record<string, ReactNode>) => void
}

/** When and where it posts, with which image, how much it may do alone, and a sample of all that. */
export function FurtherSections({ choices, assistant, imagesField, onErrors }: FurtherSectionsProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const form = useAssistantForm()
  const written = writtenFor(form.values)
  return (
    <>
      <FormSection title={t('assistantForm.when')} hint={t('assistantForm.whenHint')}>
        <ScheduleFields />
      </FormSection>
      <FormSection title={t('assistantForm.image')} hint={t(`assistantForm.imageHint.${written}`)}>
        <ImageFields choices={choices} assistant={assistant} imagesField={imagesField} />
      </FormSection>
      {written === 'post' && (
        <FormSection title={t('assistantForm.where')} hint={t('assistantForm.whereHint')}>
          <AccountPicks accounts={choices.accounts} />
        </FormSection>
      )}
      <FormSection title={t('assistantForm.alone')} hint={t('assistantForm.aloneHint')}>
        <ModePicks />
        <div className="pair level">
          <LaterNumberInput
            label={t('assistantForm.lead')}
            description={t(`assistantForm.leadHint.${written}`, { count: usualLead(form.values.mode) })}
            min={1}
            max={10_080}
            allowDecimal={false}
            placeholder={String(usualLead(form.values.mode))}
            {...form.getInputProps('lead_minutes')}
          />
          <LaterNumberInput
            label={t('assistantForm.catchUp')}
            description={t(`assistantForm.catchUpHint.${written}`, {
              count: choices.options.catch_up_minutes,
              most: format.number(choices.options.most_catch_up_minutes),
            })}
            min={0}
            max={choices.options.most_catch_up_minutes}
            allowDecimal={false}
            placeholder={String(choices.options.catch_up_minutes)}
            {...form.getInputProps('catch_up_minutes')}
          />
        </div>
        <BudgetFields assistant={assistant} />
      </FormSection>
      <FormSection title={t('assistantForm.dryRun.title')} hint={t(`assistantForm.dryRun.hint.${written}`)}>
        <DryRun assistant={assistant} onErrors={onErrors} />
      </FormSection>
    </>
  )
}

function ImageFields({ choices, assistant, imagesField: Images }: Omit<FurtherSectionsProps, 'onErrors'>) {
  const { t } = useTranslation()
  const form = useAssistantForm()
  const { image_source, image_media_ids } = form.values
  return (
    <>
      <div className="pair">
        <LaterSelect
          label={t('assistantForm.imageSource')}
          allowDeselect={false}
          data={Object.values(ImageSource).map((value) => ({ value, label: t(`assistantForm.imageSources.${value}`) }))}
          {...form.getInputProps('image_source')}
        />
        {image_source === 'template' && (
          <TemplateSelect
            field="image_template_version_id"
            label={t('assistantForm.imageTemplate')}
            templates={choices.imageTemplates}
            pinned={assistant?.image_template ?? null}
          />
        )}
        {image_source === 'own' && (
          <LaterSelect
            label={t('assistantForm.imageOrder')}
            allowDeselect={false}
            data={Object.values(ImageOrder).map((value) => ({ value, label: t(`assistantForm.imageOrders.${value}`) }))}
            {...form.getInputProps('image_order')}
          />
        )}
      </div>
      {image_source === 'own' && (
        <div data-field="image_media_ids">
          <Images
            label={t('assistantForm.ownImages')}
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
          <LaterSelect
            label={t('assistantForm.imageFallback')}
            description={t('assistantForm.imageFallbackHint')}
            allowDeselect={false}
            data={(['ask', 'card', 'without'] as const).map((value) => ({ value, label: t(`assistantForm.imageFallbacks.${value}`) }))}
            {...form.getInputProps('image_fallback')}
          />
        </div>
      )}
    </>
  )
}
