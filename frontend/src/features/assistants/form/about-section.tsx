import { NumberInput, Select, TextInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { AssistantInSchema } from '@/api/schemas.gen'
import { PickFrom, Strategy, type AssistantOptionsOut, type AssistantOut } from '@/api/types.gen'
import { FormMore } from '@/components/form-more'
import { FormSection } from '@/components/form-section'
import { ListInput } from '@/components/list-input'
import { languages } from '@/i18n/languages'
import { cutText } from '@/lib/cut-text'
import { paths } from '@/lib/paths'
import { useAssistantForm } from './assistant-form-context'
import { EndingFields } from './ending-fields'
import type { Choices } from './form-choices'
import { LONGEST_NAME, writtenFor } from './form-values'
import { NoChoice, TemplateSelect } from './template-select'
import { VariableFields } from './variable-fields'

interface AboutSectionProps {
  choices: Choices
  assistant: AssistantOut | null
}

/** What the assistant writes about: its name, topics, template and language. */
export function AboutSection({ choices, assistant }: AboutSectionProps) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const proposedName = (treeId: string | null) =>
    cutText(choices.topicTrees.find(({ id }) => id === treeId)?.name ?? '', LONGEST_NAME)
  return (
    <FormSection title={t('assistants:form.about')} hint={t('assistants:form.aboutHint')}>
      <div className="pair">
        <TextInput label={t('assistants:form.name')} maxLength={LONGEST_NAME} {...form.getInputProps('name')} />
        <ListInput
          label={t('assistants:form.tags')}
          maxTags={AssistantInSchema.properties.tags.maxItems}
          clearable={false}
          {...form.getInputProps('tags')}
        />
      </div>
      <div className="pair">
        <div>
          <Select
            label={t('assistants:form.topicTree')}
            placeholder={t('assistants:form.topicTreePlaceholder')}
            data={choices.topicTrees.map(({ id, name, topic_count }) => ({
              value: id,
              label: t('assistants:form.topicTreeOption', { name, count: topic_count }),
            }))}
            searchable
            clearable
            {...form.getInputProps('topic_tree_id')}
            onChange={(chosen: string | null) => {
              const { name, topic_tree_id } = form.getValues()
              form.setFieldValue('topic_tree_id', chosen)
              // until a name is typed, the assistant has that of its topic tree
              const isProposed = name === '' || name === proposedName(topic_tree_id)
              if (!assistant && chosen && isProposed) form.setFieldValue('name', proposedName(chosen))
            }}
          />
          {choices.topicTrees.length === 0 && (
            <NoChoice text={t('assistants:form.noTopicTrees')} to={paths.topics} action={t('assistants:form.makeTopicTree')} />
          )}
        </div>
        <TemplateSelect
          field="template_version_id"
          label={t('assistants:form.template')}
          templates={choices.textTemplates}
          pinned={assistant?.template ?? null}
        />
      </div>
      <VariableFields templates={[...choices.textTemplates, ...choices.imageTemplates]} assistant={assistant} />
      <div className="pair">
        <Select
          label={t(`assistants:form.language.${writtenFor(form.values)}`)}
          data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
          {...form.getInputProps('language')}
        />
      </div>
      <PickingFields options={choices.options} />
      {writtenFor(form.values) === 'post' && <EndingFields />}
    </FormSection>
  )
}

/** How the next topic is picked. */
function PickingFields({ options }: { options: AssistantOptionsOut }) {
  const { t } = useTranslation(['common', 'assistants'])
  const form = useAssistantForm()
  const { strategy, pick_from, no_repeat } = form.values
  const written = writtenFor(form.values)
  const within = no_repeat === '' ? options.no_repeat : no_repeat
  const summary = [
    t(`assistants:form.strategies.${strategy}`),
    t(`assistants:form.picksFrom.${pick_from}`),
    t(`assistants:form.noRepeatSays.${written}`, { count: within }),
  ]
  const isUsual = strategy === 'least_recent' && pick_from === 'leaves' && within === options.no_repeat
  return (
    <FormMore title={t('assistants:form.picking')} summary={summary.join(' · ')} open={!isUsual}>
      <div className="pair">
        <Select
          label={t('assistants:form.strategy')}
          data={Object.values(Strategy).map((value) => ({ value, label: t(`assistants:form.strategies.${value}`) }))}
          {...form.getInputProps('strategy')}
        />
        <Select
          label={t('assistants:form.pickFrom')}
          data={Object.values(PickFrom).map((value) => ({ value, label: t(`assistants:form.picksFrom.${value}`) }))}
          {...form.getInputProps('pick_from')}
        />
        <NumberInput
          label={t('assistants:form.noRepeat')}
          description={t(`assistants:form.noRepeatHint.${written}`, { count: options.no_repeat })}
          min={0}
          max={options.most_no_repeat}
          allowDecimal={false}
          placeholder={String(options.no_repeat)}
          startValue={options.no_repeat}
          {...form.getInputProps('no_repeat')}
        />
      </div>
    </FormMore>
  )
}
