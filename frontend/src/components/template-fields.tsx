import { Select, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { TemplateTextInSchema } from '@/api/schemas.gen'
import type { TemplateOut, TemplateType } from '@/api/types.gen'
import { paths } from '@/lib/paths'
import { isReserved, keyOf, LINK } from '@/lib/template-segments'
import { allTemplatesQuery, allTopicTreesQuery } from '@/lib/unpaged-lists'
import { BrandSelect } from './brand-select'
import { topicsQuery } from './use-writing'
import './writing.css'

const LONGEST = TemplateTextInSchema.properties.inputs.additionalProperties.maxLength
const LONGEST_ADDRESS = TemplateTextInSchema.properties.address.maxLength
const TOPIC = 'Topic'
const CONTENT = 'Content'
const VOICE = 'Brand Voice'

/** The user's choice; `inputs` has values by `keyOf` of the name. */
export interface ChosenTemplate {
  /** The page to write about; undefined where none is asked for. */
  address?: string
  templateId: string | null
  treeId: string | null
  topicId: string | null
  /** Null: the template's brand, if it has one. */
  brandId: string | null
  inputs: Record<string, string>
}

export const NOTHING: ChosenTemplate = { templateId: null, treeId: null, topicId: null, brandId: null, inputs: {} }

/** State of the choice of a template, a topic and values, beginning with an earlier choice. */
export function useTemplateChoice(type: TemplateType, initial: ChosenTemplate = NOTHING) {
  const image = type === 'image'
  const templates = useQuery(allTemplatesQuery(type))
  const [chosen, setChosen] = useState(initial)
  const items = templates.data?.items ?? []
  const template = items.find(({ id }) => id === chosen.templateId) ?? (items.length === 1 ? items[0] : undefined)
  const topics = useQuery({ ...topicsQuery(chosen.treeId ?? ''), enabled: chosen.treeId !== null })
  const topicOfTree = topics.data?.topics.find(({ id }) => id === chosen.topicId)
  const aboutPage = chosen.address !== undefined
  const given = { topic: chosen.topicId !== null, content: image, link: aboutPage || Boolean(topicOfTree?.link) }
  const names = template ? variablesToFill(template, given) : []
  const valueOf = (name: string) => chosen.inputs[keyOf(name)] ?? ''
  return {
    image,
    templates: items,
    none: templates.isSuccess && items.length === 0,
    template,
    names,
    chosen,
    topics: topics.data?.topics ?? [],
    /** The topic as text. */
    topic: topicOfTree?.title ?? chosen.inputs[keyOf(TOPIC)] ?? '',
    change: (changes: Partial<ChosenTemplate>) => setChosen((before) => ({ ...before, ...changes })),
    /** Whether every required variable has a value. */
    complete: names.every((name) => isOptional(name, aboutPage) || valueOf(name).trim() !== ''),
    /** The visible fields by the server's names. */
    fields: ['template_id', ...(aboutPage ? ['address'] : []), ...(image ? [] : ['brand_id']), ...(chosen.treeId ? ['topic_id'] : []), ...names.map((name) => `inputs.${name}`)],
    /** The request's body; undefined while no template is chosen. */
    order: template && {
      template_id: template.id,
      topic_tree_id: chosen.topicId ? chosen.treeId : null,
      topic_id: chosen.topicId,
      ...(chosen.brandId && { brand_id: chosen.brandId }),
      ...(aboutPage && { address: chosen.address?.trim() }),
      inputs: Object.fromEntries(names.map((name) => [name, valueOf(name)])),
    },
  }
}

export type TemplateChoice = ReturnType<typeof useTemplateChoice>

/** Return the choice for an optional template: only one that the user chose counts, not the only existing one. */
export const optionalChoice = (choice: TemplateChoice): TemplateChoice =>
  choice.chosen.templateId === null
    ? { ...choice, template: undefined, names: [], complete: true, fields: ['template_id'], order: undefined }
    : choice

interface TemplateFieldsProps {
  choice: TemplateChoice
  errors: Record<string, string>
  /** Whether the template may be omitted. */
  optional?: boolean
  disabled: boolean
  /** Called on each change, which may fix an error. */
  onChange: () => void
}

export function TemplateFields({ choice, errors, optional = false, disabled, onChange }: TemplateFieldsProps) {
  const { t } = useTranslation(['common', 'writing'])
  const { chosen, templates, image, template, names, topics } = choice
  const aboutPage = chosen.address !== undefined
  const trees = useQuery(allTopicTreesQuery)
  // entering a value for the only template chooses it
  const templateId = template?.id ?? null
  const set = (name: string, value: string) => {
    choice.change({ templateId, inputs: { ...chosen.inputs, [name]: value } })
    onChange()
  }
  return (
    <>
      <div className="writing-fields">
        {aboutPage && (
          <TextInput
            className="writing-wide"
            type="url"
            inputMode="url"
            label={t('writing:page')}
            description={t('writing:pageHint')}
            placeholder="https://"
            autoComplete="off"
            maxLength={LONGEST_ADDRESS}
            value={chosen.address}
            error={errors.address}
            disabled={disabled}
            data-autofocus
            autoFocus
            onChange={(event) => {
              choice.change({ templateId, address: event.currentTarget.value })
              onChange()
            }}
          />
        )}
        <Select
          label={t(optional ? 'writing:templateOptional' : 'writing:template')}
          data={templates.map(({ id, name }) => ({ value: id, label: name }))}
          value={templateId}
          error={errors.template_id}
          onChange={(next) => {
            choice.change({ templateId: next })
            onChange()
          }}
          disabled={disabled}
          searchable
          data-autofocus={!optional && !aboutPage ? true : undefined}
          autoFocus={!optional && !aboutPage}
          clearable={optional}
        />
        {(!optional || template) && !aboutPage && <Select
          label={t('writing:tree')}
          data={(trees.data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
          value={chosen.treeId}
          onChange={(treeId) => choice.change({ templateId, treeId, topicId: null })}
          disabled={disabled}
          searchable
          clearable
        />}
        {(!optional || template) && chosen.treeId && (
          <Select
            label={t('writing:topicFromTree')}
            data={topics.map(({ id, title: name, depth }) => ({
              value: id,
              label: `${'– '.repeat(depth)}${name}`,
            }))}
            value={chosen.topicId}
            error={errors.topic_id}
            onChange={(topicId) => {
              choice.change({ topicId })
              onChange()
            }}
            disabled={disabled}
            searchable
            clearable
            limit={100}
          />
        )}
        {template && !image && (
          <BrandSelect
            description={null}
            placeholder={t('writing:templatesBrand')}
            value={chosen.brandId}
            error={errors.brand_id}
            disabled={disabled}
            onChange={(brandId) => {
              choice.change({ templateId, brandId })
              onChange()
            }}
          />
        )}
        {names.map((name) => {
          const isTopic = keyOf(name) === keyOf(TOPIC)
          const label = isTopic ? t('writing:topic') : name
          const shared = {
            label: isOptional(name, aboutPage) ? t('writing:optional', { name: label }) : label,
            description: isTopic ? t(aboutPage ? 'writing:pagesTitle' : 'writing:ownTopic') : undefined,
            value: chosen.inputs[keyOf(name)] ?? '',
            error: errors[`inputs.${name}`],
            maxLength: LONGEST,
            disabled,
          }
          return keyOf(name) === keyOf(CONTENT) ? (
            <Textarea
              key={name}
              {...shared}
              className="writing-wide"
              autosize
              minRows={2}
              maxRows={8}
              onChange={(event) => set(keyOf(name), event.currentTarget.value)}
            />
          ) : (
            <TextInput key={name} {...shared} onChange={(event) => set(keyOf(name), event.currentTarget.value)} />
          )
        })}
      </div>
      {choice.none && (
        <p className="field-note">
          {t(image ? 'writing:noImageTemplates' : 'writing:noTemplates')} <Link to={paths.templates}>{t('writing:makeTemplate')}</Link>
        </p>
      )}
    </>
  )
}

/** Return whether a variable needs no value: the voice is the brand's, and the topic of a page is its title. */
const isOptional = (name: string, aboutPage: boolean) =>
  keyOf(name) === keyOf(VOICE) || (aboutPage && keyOf(name) === keyOf(TOPIC))

/** Return the variables that need a value from the user: the others come from the post, the topic or the page. */
function variablesToFill({ variables }: TemplateOut, given: { topic: boolean; content: boolean; link: boolean }): string[] {
  return variables.filter((name) => {
    const key = keyOf(name)
    if (key === keyOf(TOPIC)) return !given.topic
    if (key === keyOf(CONTENT)) return !given.content
    if (key === keyOf(LINK)) return !given.link
    return !isReserved(name) || key === keyOf(VOICE)
  })
}
