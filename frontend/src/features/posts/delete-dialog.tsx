import { Button, Checkbox, Modal } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PostOut } from '@/api/types.gen'
import { channelName, ChannelTile, placeOf } from '@/components/channel'
import { NetworkLink } from '@/components/network-link'
import { useFormat } from '@/i18n/use-format'
import { areAllArticles } from '@/lib/content-kind'
import { publishedByAccount, type AccountDeliveries } from '@/features/posts/detail/removal'

interface DeleteDialogProps {
  opened: boolean
  posts: readonly PostOut[]
  pending: boolean
  onClose: () => void
  /** On these accounts too. */
  onDelete: (accounts: readonly string[]) => void
}

export function DeleteDialog({ opened, posts, pending, onClose, onDelete }: DeleteDialogProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={areAllArticles(posts) ? t('posts:removeArticle.title') : t('posts:remove.title', { count: posts.length })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <DeleteForm posts={posts} pending={pending} onClose={onClose} onDelete={onDelete} />
    </Modal>
  )
}

function DeleteForm({ posts, pending, onClose, onDelete }: Omit<DeleteDialogProps, 'opened'>) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  const [chosen, setChosen] = useState<readonly string[]>([])
  const accounts = publishedByAccount(posts)
  const textsKey = areAllArticles(posts) ? 'posts:removeArticle' : 'posts:remove'
  const networks = new Set(accounts.filter(({ account }) => chosen.includes(account.account_id)).map(({ account }) => placeOf(account)))
  const toggle = (id: string) => setChosen(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        onDelete(chosen)
      }}
    >
      <ul className="refused removal-list" aria-label={t(`${textsKey}.what`)}>
        {accounts.map((entry) => (
          <li key={entry.account.account_id}>
            <OnAccount
              entry={entry}
              many={posts.length > 1}
              textsKey={textsKey}
              checked={chosen.includes(entry.account.account_id)}
              onToggle={() => toggle(entry.account.account_id)}
            />
          </li>
        ))}
      </ul>
      <p className="mid" role="status">
        {t(chosen.length > 0 ? `${textsKey}.forGood` : `${textsKey}.onlyHere`, { count: posts.length })}
      </p>
      <div className="dialog-foot">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" color="red" loading={pending}>
          {networks.size > 0 ? t(`${textsKey}.hereAndThere`, { networks: format.list([...networks]) }) : t('posts:remove.here')}
        </Button>
      </div>
    </form>
  )
}

interface OnAccountProps {
  entry: AccountDeliveries
  many: boolean
  /** The key of the texts, for posts or for articles. */
  textsKey: 'posts:remove' | 'posts:removeArticle'
  checked: boolean
  onToggle: () => void
}

function OnAccount({ entry: { account, removable, unremovable }, many, textsKey, checked, onToggle }: OnAccountProps) {
  const { t } = useTranslation(['common', 'posts'])
  const network = placeOf(account)
  const address = (unremovable.length === 1 && unremovable[0]?.permalink) || account.posts_url
  const reasons = [...new Set(unremovable.map((delivery) => delivery.removable))]
  return (
    <>
      <div className="delivery">
        <ChannelTile channel={account.channel} size={36} />
        <div className="grow two-lines">
          <b>{account.account_name}</b>
          <small>{channelName(account.channel)}</small>
        </div>
        {unremovable.length > 0 && <NetworkLink address={address} label={t(`${textsKey}.openThere`, { network })} />}
      </div>
      {removable.length > 0 && (
        <Checkbox
          label={many ? t('posts:remove.thereMany', { network, count: removable.length }) : t(`${textsKey}.there`, { network })}
          checked={checked}
          onChange={onToggle}
        />
      )}
      {reasons.map((reason) =>
        reason === 'not_by_api' || reason === 'unnamed' || reason === 'disconnected' ? (
          <p key={reason} className="dim">
            {t(`${textsKey}.why.${reason}`, { network, count: unremovable.filter((delivery) => delivery.removable === reason).length })}
          </p>
        ) : null,
      )}
    </>
  )
}
