import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { SecondLook, TextPer, TopicLink } from '@/api/types.gen'
import { BrandSelect } from '@/components/brand-select'
import { FormSection } from '@/components/form-section'
import { useAssistantForm } from './assistant-form-context'
import { writtenFor } from './form-values'

/** How the texts are written: the brand, one text for each network or one for all, the second look, and a topic's link. */
export function TextSection() {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const written = writtenFor(form.values)
  const isPost = written === 'post'
  const { second_look, topic_link } = form.values
  return (
    <FormSection title={t('assistants:form.texts')} hint={t('assistants:form.textsHint')}>
      <div className="pair">
        <BrandSelect
          description={t('assistants:form.brandHint')}
          placeholder={t('assistants:form.templatesBrand')}
          value={form.values.brand_id}
          error={form.errors.brand_id}
          onChange={(brandId) => form.setFieldValue('brand_id', brandId)}
        />
        {isPost && (
          <Select
            label={t('assistants:form.secondLook')}
            description={t(`assistants:form.secondLookHints.${second_look}`)}
            data={Object.values(SecondLook).map((value) => ({ value, label: t(`assistants:form.secondLooks.${value}`) }))}
            {...form.getInputProps('second_look')}
          />
        )}
        <Select
          label={t('assistants:form.topicLink')}
          description={topic_link === 'append' ? t(`assistants:form.topicLinkHints.append.${written}`) : t('assistants:form.topicLinkHints.none')}
          data={Object.values(TopicLink).map((value) => ({ value, label: t(`assistants:form.topicLinks.${value}`) }))}
          {...form.getInputProps('topic_link')}
        />
      </div>
      {isPost && <TextPerPicks />}
    </FormSection>
  )
}

/** One text for each network, or one for all. */
function TextPerPicks() {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  // the usual choice first
  const choices = [TextPer.NETWORK, TextPer.POST]
  return (
    <fieldset className="plain" data-field="text_per">
      <legend className="vh">{t('assistants:form.textPer')}</legend>
      <div className="modes two-modes">
        {choices.map((value) => (
          <label key={value} className="mode" data-on={value === form.values.text_per || undefined}>
            <input
              type="radio"
              name="text_per"
              checked={value === form.values.text_per}
              onChange={() => form.setFieldValue('text_per', value)}
            />
            <b>{t(`assistants:form.textsPer.${value}`)}</b>
            <span>{t(`assistants:form.textsPerText.${value}`)}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
