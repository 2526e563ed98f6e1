import { ActionIcon, Button, Tabs } from '@mantine/core'
import { IconPlus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { AccountOut } from '@/api/types.gen'
import { ChannelIcon } from '@/components/channel'
import { lazyMenu } from '@/components/lazy-menu'
import { showUndo } from '@/components/undo'
import { textFor } from './composer-values'
import { COMMON, nameOf, targetOf, variantsFor } from './text-targets'
import type { ComposerForm } from './use-composer'

const OwnTextChoices = lazyMenu(async () => (await import('./own-text-choices')).OwnTextChoices)

interface TextTabsProps {
  form: ComposerForm
  accounts: readonly AccountOut[]
  /** The text that is shown. */
  target: string
  onTarget: (target: string) => void
  /** Called when the button with the focus has disappeared. */
  onFocusLost: () => void
}

/** The tabs of the text for all accounts and of the own texts of some, with what adds and removes an own text. */
export function TextTabs({ form, accounts, target, onTarget, onFocusLost }: TextTabsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { values } = form
  const without = accounts.filter(({ id }) => !values.variants.some(({ account_id }) => account_id === id))

  const add = (account: AccountOut) => {
    const variant = { channel: account.kind, account_id: account.id, content: textFor(values, account) }
    form.setFieldValue('variants', [...values.variants, variant])
    onTarget(targetOf(variant))
    if (without.length === 1) onFocusLost()
  }
  const remove = () => {
    const before = form.getValues().variants
    const removed = before.find((variant) => targetOf(variant) === target)
    form.setFieldValue('variants', before.filter((variant) => variant !== removed))
    onTarget(COMMON)
    onFocusLost()
    showUndo({
      message: t('posts:composer.variantRemoved', { name: removed ? nameOf(removed, accounts) : '' }),
      label: t('undo'),
      undo: () => form.setFieldValue('variants', before),
    })
  }
  return (
    <div className="composer-tabs">
      <Tabs value={target} onChange={(next) => onTarget(next ?? COMMON)} keepMounted={false}>
        <Tabs.List aria-label={t('posts:composer.texts')}>
          <Tabs.Tab value={COMMON}>{t('posts:composer.allChannels')}</Tabs.Tab>
          {variantsFor(values, accounts).map((variant) => (
            <Tabs.Tab
              key={targetOf(variant)}
              value={targetOf(variant)}
              // the name says the network, too
              leftSection={<ChannelIcon channel={variant.channel} />}
              aria-label={t('posts:composer.ownTextFor', { name: nameOf(variant, accounts) })}
            >
              {t('posts:composer.ownTextFor', { name: nameOf(variant, accounts) })}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      {target !== COMMON && (
        <ActionIcon variant="subtle" aria-label={t('posts:composer.removeVariant')} onClick={remove}>
          <IconX size={15} aria-hidden />
        </ActionIcon>
      )}
      {without.length > 0 && accounts.length > 1 && (
        <OwnTextChoices
          accounts={without}
          onChoose={add}
          button={(props) => (
            <Button size="compact-sm" variant="subtle" leftSection={<IconPlus size={14} aria-hidden />} {...props}>
              {t('posts:composer.ownText')}
            </Button>
          )}
        />
      )}
    </div>
  )
}
