import { Textarea } from '@mantine/core'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AccountOut, ChannelOut, FitOut } from '@/api/types.gen'
import { ChannelIcon } from '@/components/channel'
import { showUndo } from '@/components/undo'
import { keepFocus } from '@/lib/keep-focus'
import { isAddressAlone, placeLink, sentLength, textWithLink } from '@/lib/post-link'
import type { ComposerForm } from './use-composer'
import { textFor, variantFor } from './composer-values'
import type { EditedFile } from './use-files'
import { TextTabs } from './text-tabs'
import { COMMON, nameOf, setTextAt, shownText, textAt, type TextTarget } from './text-targets'
import { useTextWriter } from './text-writer'

interface TextFieldProps {
  form: ComposerForm
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
  /** The loaded files of the post. */
  files: readonly EditedFile[]
  /** The server's check by the rules of each account, after a pause in typing. */
  fit: readonly FitOut[] | undefined
}

interface TextFieldOwnProps extends TextFieldProps {
  /** Save the post if needed and return its id; undefined if that failed, which is shown. */
  stored: () => Promise<string | undefined>
}

/** The text for all accounts, and own texts for some. */
export function TextField({ form, accounts, channels, files, fit, stored }: TextFieldOwnProps) {
  const { t } = useTranslation(['common', 'posts'])
  const area = useRef<HTMLTextAreaElement>(null)
  const [tab, setTab] = useState(COMMON)
  const { values } = form
  const { target, variant, field, text } = shownText(values, accounts, tab)
  const writer = useTextWriter({ form, accounts, target, stored, area })
  const pasteLink = usePasteLink(form, target)
  return (
    <div className="composer-text" data-field={field}>
      <TextTabs
        form={form}
        accounts={accounts}
        target={target}
        onTarget={setTab}
        onFocusLost={() => keepFocus(() => area.current)}
      />
      <Textarea
        key={field}
        aria-label={variant ? t('posts:composer.ownTextFor', { name: nameOf(variant, accounts) }) : t('posts:composer.text')}
        placeholder={t('posts:composer.placeholder')}
        autosize
        minRows={8}
        maxRows={24}
        variant="unstyled"
        classNames={{ input: 'composer-area' }}
        data-autofocus={variant === undefined || undefined}
        {...form.getInputProps(field)}
        ref={area}
        {...writer.field(text)}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain')
          if (text.trim() !== '' || values.link || !isAddressAlone(pasted)) return
          event.preventDefault()
          pasteLink(pasted.trim())
        }}
      />
      {writer.tools}
      {variant && text === values.content && <p className="field-note">{t('posts:composer.same')}</p>}
      <Counters form={form} accounts={accounts} channels={channels} files={files} fit={fit} />
    </div>
  )
}

/** Return what makes a pasted address the link of the post, with an undo that puts the address into the text instead. */
function usePasteLink(form: ComposerForm, target: TextTarget) {
  const { t } = useTranslation(['common', 'posts'])
  return (url: string) => {
    form.setFieldValue('link', { url, title: '', description: '' })
    showUndo({
      message: t('posts:composer.link.pasted'),
      label: t('posts:composer.link.asWords'),
      undo: () => {
        form.setFieldValue('link', null)
        const before = textAt(form.getValues(), target) ?? ''
        // a text typed meanwhile is kept apart from the address
        setTextAt(form, target, `${before}${/\S$/.test(before) ? ' ' : ''}${url}`)
      },
    })
  }
}

/** The length and limit of each text, in the units of its network. */
function Counters({ form, accounts, channels, files, fit }: TextFieldProps) {
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
        const checked = fit?.find(({ account_id }) => account_id === account.id)
        const weighed = limits?.counting === 'weighted' && checked
        const sent = textWithLink(textFor(values, account), placeLink(values.link, files, limits))
        const length = weighed ? weighed.length : sentLength(sent, limits)
        return (
          <span key={key} className="num" data-over={limit !== undefined && length > limit ? true : undefined}>
            <ChannelIcon channel={account.kind} size={15} />
            {limit === undefined ? length : t('posts:composer.count', { length, limit })}
            {checked?.problems.map(({ code, params }) =>
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
