import { useTranslation } from 'react-i18next'
import type { AccountOut } from '@/api/types.gen'
import { BothVersions as Versions } from '@/components/both-versions'
import { accountName } from '@/components/channel'
import { NEWER_VERSION_ID } from '@/components/use-self-saving'
import { useFormat, useFormatIn } from '@/i18n/use-format'
import { compareChanges } from '@/lib/edits'
import { plannedAt } from '@/lib/time-zones'
import { FIELD_NAMES, type Values } from './composer-values'
import { nameOf } from './text-targets'

interface BothVersionsProps {
  /** The version saved elsewhere. */
  theirs: Values
  mine: Values
  /** The version that both are based on. */
  before: Values
  accounts: readonly AccountOut[]
}

/** The differences between the post as saved elsewhere and as edited here, side by side. */
export function BothVersions({ theirs, mine, before, accounts }: BothVersionsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const texts = [useFieldTexts(theirs, accounts), useFieldTexts(mine, accounts)] as const
  const { both, onlyTheirs } = compareChanges(theirs, mine, before)
  return (
    <Versions
      id={NEWER_VERSION_ID}
      fields={both.map((field) => ({ name: t(FIELD_NAMES[field]), theirs: texts[0][field], mine: texts[1][field] }))}
      onlyTheirs={onlyTheirs.map((field) => t(FIELD_NAMES[field]))}
    />
  )
}

/** Return each field as a text. */
function useFieldTexts(values: Values, accounts: readonly AccountOut[]): Record<keyof Values, string> {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const zoneFormat = useFormatIn(values.zone)
  const at = plannedAt(values)
  const accountOf = (id: string) => accounts.find((account) => account.id === id)
  return {
    ...values,
    account_ids: format.list(values.account_ids.map(accountOf).map((account) => (account ? accountName(account) : t('posts:composer.goneAccount')))),
    variants: values.variants.map((variant) => `${nameOf(variant, accounts)}: ${variant.content}`).join('\n\n'),
    files: values.files.length > 0 ? t('posts:composer.fileCount', { count: values.files.length }) : '',
    link: values.link ? [values.link.url, values.link.title, values.link.description].filter(Boolean).join('\n') : '',
    tags: values.tags.join(', '),
    planned: at ? zoneFormat.dayAndTime(at) : '',
    language: t(`languages.${values.language}`),
  }
}
