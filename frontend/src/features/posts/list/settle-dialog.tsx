import { Button, Modal, Radio } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { DeliveryOut, ListPostsData, PostOut } from '@/api/types.gen'
import { channelName, ChannelTile, isSite, placeOf } from '@/components/channel'
import { Failure } from '@/components/failure'
import { NetworkLink } from '@/components/network-link'
import { RowSkeletons } from '@/components/skeletons'
import { useFormat } from '@/i18n/use-format'
import { countedKindIn } from '@/lib/content-kind'
import { pagePath } from '@/lib/page-path'
import type { BulkOrder } from './bulk-api'
import { nameOf } from '@/features/posts/post-state'
import { unclearByAccount, type Unclear } from '@/features/posts/unclear'
import { unclearQuery } from '@/features/posts/unclear-queries'
import type { Bulk } from './use-bulk'

const ANSWERS = ['there', 'not_there', 'send_again'] as const
type Answer = (typeof ANSWERS)[number]

interface SettleDialogProps {
  /** Posts some of whose deliveries may be unclear. */
  posts: readonly PostOut[]
  bulk: Bulk
  opened: boolean
  onClose: () => void
}

/** One answer for all unclear posts of an account: after an outage there may be many of them. */
export function SettleDialog({ posts, bulk, opened, onClose }: SettleDialogProps) {
  const { t } = useTranslation(['common', 'posts'])
  const accounts = unclearByAccount(posts)
  const unclear = unclearIn(accounts)
  return (
    <Modal
      opened={opened}
      onClose={onClose}
      title={t(`posts:settle.title.${countedKindIn(unclear)}`, { count: unclear.length })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      <SettleForm accounts={accounts} bulk={bulk} onClose={onClose} />
    </Modal>
  )
}

interface SettleAllProps extends Omit<SettleDialogProps, 'posts'> {
  /** The query of the list. */
  query: NonNullable<ListPostsData['query']>
}

/** The dialog for all posts that match the list's filters, also those that are not loaded. */
export function SettleAllDialog({ query, bulk, opened, onClose }: SettleAllProps) {
  const { t } = useTranslation(['common', 'posts'])
  const unclear = useQuery({ ...unclearQuery(query), enabled: opened })
  if (unclear.data) return <SettleDialog posts={unclear.data} bulk={bulk} opened={opened} onClose={onClose} />
  return (
    <Modal opened={opened} onClose={onClose} title={t('posts:settle.open')} closeButtonProps={{ 'aria-label': t('close') }}>
      {unclear.error ? (
        <Failure title={t('posts:settle.loadFailed')} problem={unclear.error} onRetry={() => void unclear.refetch()} />
      ) : (
        <RowSkeletons rows={4} />
      )}
    </Modal>
  )
}

interface SettleFormProps {
  accounts: readonly Unclear[]
  bulk: Bulk
  onClose: () => void
}

function SettleForm({ accounts, bulk, onClose }: SettleFormProps) {
  const { t } = useTranslation(['common', 'posts'])
  const [answers, setAnswers] = useState<Partial<Record<string, Answer>>>({})
  const orders = accounts.flatMap(({ account, items }): BulkOrder[] => {
    const action = answers[account.account_id]
    return action ? [{ action, account_ids: [account.account_id], posts: items.map(({ post }) => post) }] : []
  })
  const answered = unclearIn(accounts.filter(({ account }) => answers[account.account_id]))
  const counted = countedKindIn(answered.length > 0 ? answered : unclearIn(accounts))
  const sends = orders.some(({ action }) => action === 'send_again')
  if (accounts.length === 0)
    return (
      <div className="stack">
        <p>{t('posts:settle.none')}</p>
        <div className="dialog-foot">
          <Button onClick={onClose}>{t('close')}</Button>
        </div>
      </div>
    )
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        void bulk.runAll(orders).then((outcome) => outcome && onClose())
      }}
    >
      <p className="mid">{t(`posts:settle.lead.${countedKindIn(unclearIn(accounts))}`)}</p>
      {accounts.map((entry) => (
        <OneAccount
          key={entry.account.account_id}
          unclear={entry}
          answer={answers[entry.account.account_id]}
          onAnswer={(answer) => setAnswers({ ...answers, [entry.account.account_id]: answer })}
        />
      ))}
      <div className="dialog-foot">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" disabled={orders.length === 0} loading={bulk.pending}>
          {t(`posts:settle.${sends ? 'saveAgain' : 'save'}.${counted}`, { count: answered.length })}
        </Button>
      </div>
    </form>
  )
}

/** Return the posts of the accounts, each once. */
const unclearIn = (accounts: readonly Unclear[]): PostOut[] => [
  ...new Map(accounts.flatMap(({ items }) => items.map(({ post }) => [post.id, post] as const))).values(),
]

interface OneAccountProps {
  unclear: Unclear
  answer: Answer | undefined
  onAnswer: (answer: Answer | undefined) => void
}

function OneAccount({ unclear: { account, items }, answer, onAnswer }: OneAccountProps) {
  const { t } = useTranslation(['common', 'dashboard', 'posts'])
  const network = placeOf(account)
  const written = isSite(account.channel) ? 'article' : 'post'
  const count = items.length
  const hints = { there: 'posts:settle.thereHint', not_there: 'posts:settle.notThereHint', send_again: `posts:settle.againHint.${written}` } as const
  const labels = { there: 'posts:settle.there', not_there: 'posts:settle.notThere', send_again: 'posts:settle.again' } as const
  return (
    <section className="settle" aria-label={account.account_name}>
      <div className="delivery">
        <ChannelTile channel={account.channel} size={36} />
        <div className="grow two-lines">
          <b>{account.account_name}</b>
          <small className="num">{[channelName(account.channel), t(`posts:settle.count.${written}`, { count })].join(' · ')}</small>
        </div>
        <NetworkLink address={account.posts_url} label={t('dashboard:lookAt', { network })} />
      </div>
      <ul className="refused settle-posts" tabIndex={0} aria-label={t(`posts:settle.list.${written}`, { account: account.account_name })}>
        {items.map(({ post, delivery }) => (
          <Sent key={delivery.id} post={post} delivery={delivery} />
        ))}
      </ul>
      <Radio.Group
        label={t('posts:settle.answer', { account: account.account_name, count })}
        value={answer ?? 'later'}
        onChange={(chosen) => onAnswer(ANSWERS.find((option) => option === chosen))}
      >
        <div className="settle-answers">
          {ANSWERS.map((option) => (
            <Radio key={option} value={option} label={t(labels[option], { count })} description={t(hints[option], { count })} />
          ))}
          <Radio value="later" label={t('posts:settle.later')} />
        </div>
      </Radio.Group>
    </section>
  )
}

function Sent({ post, delivery }: { post: PostOut; delivery: DeliveryOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  return (
    <li>
      <Link className="clip" to={pagePath(post)} target="_blank">
        {nameOf(t, post)}
      </Link>
      {delivery.called_at && <span className="dim num">{t('posts:settle.sentOn', { when: format.dayAndTime(delivery.called_at) })}</span>}
    </li>
  )
}
