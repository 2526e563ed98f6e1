import { ActionIcon, Textarea, TextInput } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PostLinkInSchema } from '@/api/schemas.gen'
import type { AccountOut, ChannelOut, LinkPlace } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { addressOf, placeLink } from '@/lib/post-link'
import type { ComposerForm } from './use-composer'
import type { EditedFile } from './use-files'

const FIELDS = PostLinkInSchema.properties

const PLACES = {
  card: 'posts:linkFields.asCard',
  page_card: 'posts:linkFields.asPageCard',
  below: 'posts:linkFields.asText',
  left_out: 'posts:linkFields.leftOut',
} as const satisfies Record<LinkPlace, string>

interface LinkFieldsProps {
  form: ComposerForm
  /** The accounts that the post goes to. */
  accounts: readonly AccountOut[]
  channels: readonly ChannelOut[]
  /** The loaded files of the post. */
  files: readonly EditedFile[]
  onType: () => void
  onRemove: () => void
}

/** The address of the post's link, and the texts of its link card. */
export default function LinkFields({ form, accounts, channels, files, onType, onRemove }: LinkFieldsProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const { link } = form.values
  const type = (field: keyof typeof FIELDS, value: string) => {
    const next = { url: '', title: '', description: '', ...link, [field]: value }
    onType()
    form.setFieldValue('link', next.url || next.title || next.description ? next : null)
    form.clearFieldError(`link.${field}`)
  }
  const remove = () => {
    form.setFieldValue('link', null)
    for (const field of ['link.url', 'link.title', 'link.description']) form.clearFieldError(field)
    onRemove()
    if (link) showUndo({ message: t('posts:linkFields.removed'), label: t('undo'), undo: () => form.setFieldValue('link', link) })
  }
  return (
    <fieldset className="composer-link" data-field="link">
      <legend>{t('posts:composer.link.title')}</legend>
      <div className="composer-link-url">
        <TextInput
          className="grow"
          type="url"
          inputMode="url"
          label={t('posts:linkFields.address')}
          placeholder="https://"
          maxLength={FIELDS.url.maxLength}
          data-field="link.url"
          data-autofocus={!link || undefined}
          autoFocus={!link}
          value={link?.url ?? ''}
          error={form.errors['link.url']}
          onChange={({ currentTarget }) => type('url', currentTarget.value)}
          onBlur={() => {
            const address = link && !link.url.includes('://') ? addressOf(link.url) : undefined
            if (address) type('url', `https://${link?.url.trim()}`)
            else if (link && !addressOf(link.url)) form.setFieldError('link.url', t('errors:link_not_usable'))
          }}
        />
        <ActionIcon variant="subtle" aria-label={t('posts:linkFields.remove')} onClick={remove}>
          <IconX size={16} aria-hidden />
        </ActionIcon>
      </div>
      {link && (
        <>
          <TextInput
            label={t('posts:linkFields.cardTitle')}
            maxLength={FIELDS.title.maxLength}
            data-field="link.title"
            value={link.title}
            error={form.errors['link.title']}
            onChange={({ currentTarget }) => type('title', currentTarget.value)}
          />
          <Textarea
            label={t('posts:linkFields.cardDescription')}
            autosize
            minRows={1}
            maxRows={4}
            maxLength={FIELDS.description.maxLength}
            data-field="link.description"
            value={link.description}
            error={form.errors['link.description']}
            onChange={({ currentTarget }) => type('description', currentTarget.value.replaceAll('\n', ' '))}
          />
          <Places form={form} accounts={accounts} channels={channels} files={files} />
        </>
      )}
    </fieldset>
  )
}

/** Where each network shows the link. */
function Places({ form, accounts, channels, files }: Pick<LinkFieldsProps, 'form' | 'accounts' | 'channels' | 'files'>) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const { link } = form.values
  const networks = new Map<LinkPlace, Set<string>>()
  for (const { kind, limits } of channels) {
    const place = accounts.some((account) => account.kind === kind) ? placeLink(link, files, limits)?.place : undefined
    if (place) networks.set(place, (networks.get(place) ?? new Set()).add(channelName(kind)))
  }
  return [...networks].map(([place, names]) => (
    <p key={place} className="field-note">
      {t(PLACES[place], { networks: format.list([...names]) })}
    </p>
  ))
}
