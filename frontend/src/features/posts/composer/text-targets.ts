import type { AccountOut, ChannelKind, VariantOut } from '@/api/types.gen'
import { accountName, channelName } from '@/components/channel'
import type { Values } from './composer-values'
import type { ComposerForm } from './use-composer'

/** A text that was written for one network. */
interface NetworkText {
  channel: ChannelKind
  content: string
}

/** Names one text of a post: the common one, or by account or channel the own text of an account. */
export type TextTarget = string

export const COMMON: TextTarget = 'common'

export const targetOf = ({ account_id, channel }: VariantOut): TextTarget => account_id ?? channel

/** Return the name of the account with its network, or that of the network. */
export function nameOf({ account_id, channel }: VariantOut, accounts: readonly AccountOut[]): string {
  const account = accounts.find(({ id }) => id === account_id)
  return account ? accountName(account) : channelName(channel)
}

/** Return the own texts of the accounts. The own text of an account that is not chosen is kept, but not shown. */
export const variantsFor = ({ variants }: Values, accounts: readonly AccountOut[]): VariantOut[] =>
  variants.filter(({ account_id, channel }) =>
    accounts.some(({ id, kind }) => (account_id === null ? channel === kind : account_id === id)),
  )

/** Return the text of a tab, or the common one if the tab is gone. */
export function shownText(values: Values, accounts: readonly AccountOut[], tab: TextTarget) {
  const variant = variantsFor(values, accounts).find((candidate) => targetOf(candidate) === tab)
  if (!variant) return { target: COMMON, variant, field: 'content' as const, text: values.content }
  return { target: tab, variant, field: `variants.${values.variants.indexOf(variant)}.content` as const, text: variant.content }
}

/** Return the text of a target; undefined if the own text was removed. */
export function textAt({ content, variants }: Values, target: TextTarget): string | undefined {
  return target === COMMON ? content : variants.find((candidate) => targetOf(candidate) === target)?.content
}

type Texts = Pick<Values, 'content' | 'variants'>

/** Return the post's texts with one for each network: the first is the common one, the others are their networks' own. */
export function withNetworkTexts({ content, variants }: Texts, texts: readonly NetworkText[]): Texts {
  const [first, ...others] = texts
  if (!first) return { content, variants }
  const kept = variants.filter(({ channel }) => texts.every((text) => text.channel !== channel))
  return { content: first.content, variants: [...kept, ...others.map((text) => ({ ...text, account_id: null }))] }
}

export function setTextAt(form: ComposerForm, target: TextTarget, text: string): void {
  const index = form.getValues().variants.findIndex((candidate) => targetOf(candidate) === target)
  if (target === COMMON) form.setFieldValue('content', text)
  else if (index >= 0) form.setFieldValue(`variants.${index}.content`, text)
}
