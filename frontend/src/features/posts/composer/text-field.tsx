import { ActionIcon, Button, Menu, Tabs, Textarea } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelOut, FitOut } from '@/api/types.gen'
import { channelName, ChannelIcon } from '@/components/channel'
import { showUndo } from '@/components/undo'
import { keepFocus } from '@/lib/keep-focus'
import { isAddressAlone, placeLink, textWithLink } from '@/lib/post-link'
import { textLength } from '@/lib/text-length'
import type { ComposerForm } from './use-composer'
import { textFor, variantFor } from './composer-values'
import { useTextWriter } from './text-writer'

const COMMON = 'common'

interface TextFieldProps {
  form: ComposerForm
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
  /** What the server says of each account, once the fingers rest. */
  fit: readonly FitOut[] | undefined
}

interface TextFieldOwnProps extends TextFieldProps {
  /** The post's id, once the server has it; nothing where that failed, which is shown. */
  stored: () => Promise<string | undefined>
}

/** One text for all, and texts of their own for some accounts. */
export function TextField({ form, accounts, channels, fit, stored }: TextFieldOwnProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [tab, setTab] = useState(COMMON)
  const { values } = form
  // one that nobody gets any more is kept for when its account comes back
  const meant = values.variants.filter(({ account_id, channel }) =>
    accounts.some(({ id, kind }) => (account_id === null ? channel === kind : account_id === id)),
  )
  const shown = meant.some((variant) => keyOf(variant) === tab) ? values.variants.findIndex((variant) => keyOf(variant) === tab) : -1
  const field = shown >= 0 ? (`variants.${shown}.content` as const) : 'content'
  const text = shown >= 0 ? (values.variants[shown]?.content ?? '') : values.content
  const without = accounts.filter(({ id }) => !values.variants.some(({ account_id }) => account_id === id))
  const nameOf = ({ account_id, channel }: { account_id: string | null; channel: string }) =>
    accounts.find(({ id }) => id === account_id)?.name ?? channelName(channel)

  const area = useRef<HTMLTextAreaElement>(null)
  const target = shown >= 0 ? tab : COMMON
  const textOf = (target: string) =>
    target === COMMON ? form.getValues().content : form.getValues().variants.find((one) => keyOf(one) === target)?.content
  const onText = (target: string, next: string) => {
    const at = form.getValues().variants.findIndex((one) => keyOf(one) === target)
    if (target === COMMON) form.setFieldValue('content', next)
    else if (at >= 0) form.setFieldValue(`variants.${at}.content`, next)
  }
  const writer = useTextWriter({
    target,
    values: form.getValues,
    stored,
    area,
    textOf,
    onText,
  })

  const add = (account: AccountOut) => {
    const variant = { channel: account.kind, account_id: account.id, content: textFor(values, account) }
    form.setFieldValue('variants', [...values.variants, variant])
    setTab(keyOf(variant))
    if (without.length === 1) keepFocus(() => area.current) // the menu is gone
  }
  /** An address that is pasted where nothing else stands is where the post leads. */
  const asLink = (url: string) => {
    form.setFieldValue('link', { url, title: '', description: '' })
    showUndo({
      message: t('posts:composer.link.pasted'),
      label: t('posts:composer.link.asWords'),
      undo: () => {
        form.setFieldValue('link', null)
        const before = textOf(target) ?? ''
        // what was typed meanwhile is no part of the address
        onText(target, `${before}${/\S$/.test(before) ? ' ' : ''}${url}`)
      },
    })
  }
  const remove = (at: number) => {
    const before = form.getValues().variants
    form.setFieldValue('variants', before.filter((_, index) => index !== at))
    setTab(COMMON)
    keepFocus(() => area.current)
    showUndo({
      message: t('posts:composer.variantRemoved', { name: before[at] ? nameOf(before[at]) : '' }),
      label: t('undo'),
      undo: () => form.setFieldValue('variants', before),
    })
  }
  return (
    <div className="composer-text" data-field={shown < 0 ? 'content' : field}>
      <div className="composer-tabs">
        <Tabs value={shown >= 0 ? tab : COMMON} onChange={(next) => setTab(next ?? COMMON)} keepMounted={false}>
          <Tabs.List aria-label={t('posts:composer.texts')}>
            <Tabs.Tab value={COMMON}>{t('posts:composer.allChannels')}</Tabs.Tab>
            {meant.map((variant) => (
              <Tabs.Tab key={keyOf(variant)} value={keyOf(variant)}>
                {t('posts:composer.ownTextFor', { name: nameOf(variant) })}
              </Tabs.Tab>
            ))}
          </Tabs.List>
        </Tabs>
        {shown >= 0 && (
          <ActionIcon variant="subtle" aria-label={t('posts:composer.removeVariant')} onClick={() => remove(shown)}>
            <IconX size={15} aria-hidden />
          </ActionIcon>
        )}
        {without.length > 0 && accounts.length > 1 && (
          <Menu position="bottom-end">
            <Menu.Target>
              <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />}>
                {t('posts:composer.ownText')}
              </Button>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Label>{t('posts:composer.ownTextHint')}</Menu.Label>
              {without.map((account) => (
                <Menu.Item key={account.id} leftSection={<ChannelIcon channel={account.kind} />} onClick={() => add(account)}>
                  {account.name}
                </Menu.Item>
              ))}
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      <Textarea
        key={field}
        aria-label={shown >= 0 ? t('posts:composer.ownTextFor', { name: values.variants[shown] ? nameOf(values.variants[shown]) : '' }) : t('posts:composer.text')}
        placeholder={t('posts:composer.placeholder')}
        autosize
        minRows={8}
        maxRows={24}
        variant="unstyled"
        classNames={{ input: 'composer-area' }}
        data-autofocus={shown < 0 || undefined}
        {...form.getInputProps(field)}
        ref={area}
        {...writer.field(text)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain')
          if (text.trim() !== '' || values.link || !isAddressAlone(pasted)) return
          event.preventDefault()
          asLink(pasted.trim())
        }}
      />
      {writer.tools}
      {shown >= 0 && text === values.content && <p className="field-note">{t('posts:composer.same')}</p>}
      <Counters form={form} accounts={accounts} channels={channels} fit={fit} />
    </div>
  )
}

const keyOf = ({ account_id, channel }: { account_id: string | null; channel: string }) => account_id ?? channel

/** Each text that goes to a channel, or to a server of its own, in the units that services count in, at most. */
function Counters({ form, accounts, channels, fit }: TextFieldProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { values } = form
  const texts = new Map(
    accounts.map((account) => [
      `${account.kind} ${variantFor(values.variants, account) ?? ''} ${account.max_characters ?? ''}`,
      account,
    ]),
  )
  return (
    <div className="composer-counts">
      {[...texts].map(([key, account]) => {
        const limits = channels.find(({ kind }) => kind === account.kind)?.limits
        const limit = account.max_characters ?? limits?.max_characters
        const told = fit?.find(({ account_id }) => account_id === account.id)
        const weighed = limits?.counting === 'weighted' && told
        const sent = textWithLink(textFor(values, account), placeLink(values.link, values.files.length, limits))
        const length = weighed ? weighed.length : textLength(sent, limits?.counting)
        return (
          <span key={key} className="num" data-over={limit !== undefined && length > limit ? true : undefined}>
            <ChannelIcon channel={account.kind} size={15} />
            {limit === undefined ? length : t('posts:composer.count', { length, limit })}
            {told?.problems.map(({ code, params }) =>
              code === 'too_many_hashtags' || code === 'too_many_mentions' ? (
                <span key={code} data-over>{t(`posts:composer.tooMany.${code}`, { found: Number(params.found), limit: Number(params.limit) })}</span>
              ) : null,
            )}
          </span>
        )
      })}
    </div>
  )
}
