import { ActionIcon, Button, Input, Select, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlus, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { channelName, NETWORKS } from '@/components/channel'
import { lazyPart } from '@/components/lazy-part'
import type { Example } from './brand-values'
import { useRows } from './use-rows'

const PublishedPicker = lazyPart(async () => (await import('./published-picker')).PublishedPicker)

const ANY = 'any'

interface ExampleRowsProps {
  /** The field's path in the form; an entry's error is at `examples.0.text`. */
  field: string
  values: readonly Example[]
  most: number
  longest: number
  errors: Partial<Record<string, ReactNode>>
  onChange: (values: Example[]) => void
}

/** Posts that were pasted or chosen from the published ones, each with its network. */
export function ExampleRows({ field, values, most, longest, errors, onChange }: ExampleRowsProps) {
  const { t } = useTranslation(['common', 'brands'])
  const { list, add, full, insertAt, removeAt } = useRows(values, most, onChange)
  const [picking, picker] = useDisclosure()
  const change = (index: number, changes: Partial<Example>) =>
    onChange(values.map((value, at) => (at === index ? { ...value, ...changes } : value)))
  return (
    <div data-field={field}>
      <ul className="example-rows" ref={list}>
        {values.map(({ text, network }, index) => (
          <li key={index}>
            <Textarea
              label={t('brands:example', { number: index + 1 })}
              autosize
              minRows={3}
              maxRows={12}
              maxLength={longest}
              value={text}
              error={errors[`${field}.${index}.text`] ?? errors[`${field}.${index}`]}
              onChange={(event) => change(index, { text: event.currentTarget.value })}
            />
            <div className="example-foot">
              <Select
                size="xs"
                aria-label={t('brands:exampleNetwork', { number: index + 1 })}
                data={[
                  { value: ANY, label: t('brands:anyNetwork') },
                  ...NETWORKS.map((kind) => ({ value: kind, label: channelName(kind) })),
                ]}
                value={network || ANY}
                error={errors[`${field}.${index}.network`]}
                onChange={(value) => change(index, { network: NETWORKS.find((kind) => kind === value) ?? '' })}
              />
              <ActionIcon
                size={32}
                aria-label={t('brands:removeExample', { number: index + 1 })}
                onClick={() => removeAt(index)}
              >
                <IconX size={15} aria-hidden />
              </ActionIcon>
            </div>
          </li>
        ))}
      </ul>
      {errors[field] && (
        <Input.Error mb={6} role="alert">
          {errors[field]}
        </Input.Error>
      )}
      <div className="entry-actions">
        <Button
          ref={add}
          size="xs"
          variant="default"
          leftSection={<IconPlus size={14} aria-hidden />}
          disabled={full}
          onClick={() => insertAt(values.length, { text: '', network: '' })}
        >
          {t('brands:pasteExample')}
        </Button>
        <Button size="xs" variant="default" disabled={full} onClick={picker.open}>
          {t('brands:pickExamples')}
        </Button>
        <span className="field-note num">{t('brands:exampleCount', { count: values.length, most })}</span>
      </div>
      <PublishedPicker
        opened={picking}
        onClose={picker.close}
        most={most - values.length}
        taken={values.map(({ text }) => text)}
        onPick={(picked) => onChange([...values, ...picked])}
      />
    </div>
  )
}
