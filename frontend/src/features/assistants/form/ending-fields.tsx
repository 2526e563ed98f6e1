import { NumberInput, Select, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useId, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { AssistantInSchema } from '@/api/schemas.gen'
import { HashtagPolicy } from '@/api/types.gen'
import { FormMore } from '@/components/form-more'
import { ListInput } from '@/components/list-input'
import { endingQuery, optionsQuery } from '@/features/assistants/api'
import { useAssistantForm } from './assistant-form-context'
import { toEnding, USUAL_HASHTAGS } from './form-values'

const TYPING = 350 // ms

/** The fields for the hashtags of a text and the link below it. */
export function EndingFields() {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { data: options } = useQuery(optionsQuery)
  const { hashtag_policy: policy, most_hashtags: most, always_hashtags: always, link } = form.values
  const summary = [
    policy === 'at_most'
      ? t('assistants:form.ending.saysMost', { count: Number(most) })
      : t(`assistants:form.ending.says.${policy}`),
    always.length > 0 && always.map((tag) => (tag.startsWith('#') ? tag : `#${tag}`)).join(' '),
    link.trim() || t('assistants:form.ending.saysNoLink'),
  ]
  const isUsual = policy === 'as_written' && always.length === 0 && link === ''
  return (
    <FormMore title={t('assistants:form.ending.title')} summary={summary.filter(Boolean).join(' · ')} open={!isUsual}>
      <div className="pair">
        <Select
          label={t('assistants:form.ending.policy')}
          data={Object.values(HashtagPolicy).map((value) => ({ value, label: t(`assistants:form.ending.policies.${value}`) }))}
          {...form.getInputProps('hashtag_policy')}
          onChange={(chosen: string | null) => {
            form.setFieldValue('hashtag_policy', Object.values(HashtagPolicy).find((policyOption) => policyOption === chosen) ?? 'as_written')
            if (chosen === 'at_most' && most === '') form.setFieldValue('most_hashtags', USUAL_HASHTAGS)
          }}
        />
        {policy === 'at_most' && (
          <NumberInput
            label={t('assistants:form.ending.most')}
            description={t('assistants:form.ending.mostHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            min={0}
            max={options?.most_hashtags}
            allowDecimal={false}
            {...form.getInputProps('most_hashtags')}
          />
        )}
      </div>
      <ListInput
        label={t('assistants:form.ending.always')}
        description={t('assistants:form.ending.alwaysHint')}
        maxTags={options?.most_hashtags}
        splitChars={[',', ' ']}
        clearable={false}
        {...form.getInputProps('always_hashtags')}
      />
      <TextInput
        type="url"
        inputMode="url"
        label={t('assistants:form.ending.link')}
        description={t('assistants:form.ending.linkHint')}
        placeholder="https://example.org"
        autoComplete="off"
        maxLength={AssistantInSchema.properties.link.maxLength}
        {...form.getInputProps('link')}
      />
      {!isUsual && <Example />}
    </FormMore>
  )
}

/** A sample text before and after the server's rules. */
function Example() {
  const { t } = useTranslation(['common', 'assistants'])
  const id = useId()
  const form = useAssistantForm()
  const text = t('assistants:form.ending.sample')
  const currentEnding = useMemo(() => toEnding(form.values), [form.values])
  const [ending] = useDebouncedValue(currentEnding, TYPING)
  const { data } = useQuery(endingQuery({ ...ending, text }))
  if (!data || data.errors.length > 0) return null
  return (
    <div className="ending" role="group" aria-labelledby={id}>
      <h3 id={id}>{t('assistants:form.ending.example')}</h3>
      <div className="pair">
        <figure>
          <figcaption>{t('assistants:form.ending.before')}</figcaption>
          <p>{text}</p>
        </figure>
        <figure>
          <figcaption>{t('assistants:form.ending.after')}</figcaption>
          <p role="status">{data.text}</p>
        </figure>
      </div>
      {data.room > 0 && <p className="field-note">{t('assistants:form.ending.room', { count: data.room })}</p>}
    </div>
  )
}
