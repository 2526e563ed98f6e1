import { Button, Checkbox, Modal, Radio, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { AnnouncedOut, PostOut, WritingOut } from '@/api/types.gen'
import { channelName, ChannelIcon } from '@/components/channel'
import { ProblemText } from '@/components/problem-text'
import { useFormat, useTimeZone } from '@/i18n/use-format'
import { composePath } from '@/lib/compose-path'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { errorAt, fieldErrors, toProblem, type Problem } from '@/lib/problems'
import { newRequestId } from '@/lib/request-id'
import { wallTime } from '@/lib/time-zones'
import { pageQuery, useAnnounce, useTakeText } from './announcements-api'
import { accountsQuery, assistantsQuery, usePublishPost } from '@/features/posts/api'
import { plannedAt } from '@/lib/time-zones'
import { useWriting } from '@/components/use-writing'
import { WritingState } from '@/components/writing-state'

type Then = 'draft' | 'now' | 'later'

interface AnnounceDialogProps {
  article: PostOut
  /** Without one, the post begins with the title. */
  hasSummary: boolean
  onClose: () => void
}

/** Where an article is announced, in whose words, and when. */
export default function AnnounceDialog({ article, hasSummary, onClose }: AnnounceDialogProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <Modal opened onClose={onClose} title={t('posts:announcing.dialog')} closeButtonProps={{ 'aria-label': t('close') }}>
      <AnnounceForm article={article} hasSummary={hasSummary} onClose={onClose} />
    </Modal>
  )
}

function AnnounceForm({ article, hasSummary, onClose }: AnnounceDialogProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const navigate = useNavigate()
  const zone = useTimeZone()
  const page = useQuery(pageQuery(article.id))
  const accounts = useQuery(accountsQuery)
  const assistants = useQuery(assistantsQuery)
  const announce = useAnnounce()
  const take = useTakeText()
  const publish = usePublishPost()
  const [id] = useState(newRequestId)
  const [chosen, setChosen] = useState<readonly string[]>()
  const [assistantId, setAssistantId] = useState<string | null>(null)
  const [byTemplate, setByTemplate] = useState(false)
  const [then, setThen] = useState<Then>('draft')
  const [planned, setPlanned] = useState('')
  const [missing, setMissing] = useState<{ accounts?: string; planned?: string }>({})
  /** The draft is there, but what was to follow is not. */
  const [left, setLeft] = useState<{ post: PostOut; problem?: Problem }>()
  const connected = accounts.data ?? []
  const [only] = connected
  const accountIds = chosen ?? (connected.length === 1 && only ? [only.id] : [])
  const errors = announce.error ? fieldErrors(t, announce.error) : {}

  const writing = useWriting((made) => void written(made))
  const isThere = page.data?.is_there === true
  const busy = announce.isPending || take.isPending || publish.isPending || writing.atWork

  async function written(made: WritingOut) {
    const post = announce.data?.post
    if (!post || made.state !== 'succeeded') {
      if (post) setLeft({ post })
      return
    }
    await take
      .mutateAsync({ path: { article_id: article.id, post_id: post.id }, body: { writing_id: made.id } })
      .then(goOn, (error: unknown) => setLeft({ post, problem: toProblem(error) }))
  }

  /** The text is there. */
  async function goOn(post: PostOut) {
    if (then === 'draft') {
      void navigate(composePath(post.id))
      return
    }
    const when = then === 'later' ? plannedAt({ planned, zone }) : null
    await publish
      .mutateAsync({ path: { post_id: post.id }, body: { version: post.version, planned_at: when?.toISOString() ?? null } })
      .then(
        ({ confirmed }) => {
          const said = when ? t('posts:actions.scheduled', { when: format.atMoment(when.toISOString()) }) : t('posts:actions.published')
          notifications.show({ message: confirmed ? said : t('posts:actions.later') })
          onClose()
        },
        (error: unknown) => setLeft({ post, problem: toProblem(error) }),
      )
  }

  const submit = useOneAtATime(async () => {
    const lacking = {
      ...(accountIds.length === 0 && { accounts: t('posts:announcing.accountMissing') }),
      ...(then === 'later' && !plannedAt({ planned, zone }) && { planned: t('posts:announcing.timeMissing') }),
    }
    setMissing(lacking)
    if (Object.keys(lacking).length > 0) return
    let made: AnnouncedOut
    try {
      made = await announce.mutateAsync({
        path: { article_id: article.id },
        body: { id, account_ids: [...accountIds], assistant_id: assistantId, by_template: byTemplate && assistantId !== null },
      })
    } catch {
      // said at its field, or below
      return
    }
    if (made.writing) writing.follow(made.writing)
    else if (made.refusal) setLeft({ post: made.post, problem: { ...made.refusal, status: 422, detail: '' } as Problem })
    else await goOn(made.post)
  })

  if (left)
    return (
      <div className="stack" role="alert">
        <p>{t('posts:announcing.left')}</p>
        {left.problem && (
          <p className="announce-why">
            <ProblemText problem={left.problem} />
          </p>
        )}
        <WritingState writing={writing} />
        <Foot onClose={onClose} label={t('close')}>
          <Button component={Link} to={composePath(left.post.id)}>
            {t('posts:announcing.openDraft')}
          </Button>
        </Foot>
      </div>
    )
  return (
    <form
      className="stack announce-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <PageState page={page} onRetry={() => void page.refetch()} />
      <Select
        label={t('posts:announcing.assistant')}
        description={t('posts:announcing.assistantHint')}
        // one that writes for a website has no accounts at networks
        data={(assistants.data?.items ?? []).filter((one) => !one.website).map((one) => ({ value: one.id, label: one.name }))}
        value={assistantId}
        error={errors.assistant_id}
        clearable
        disabled={busy}
        onChange={(next) => {
          const assistant = assistants.data?.items.find((one) => one.id === next)
          setAssistantId(next)
          setByTemplate(assistant !== undefined)
          if (assistant) setChosen(assistant.accounts.map((account) => account.id))
          setMissing({})
        }}
      />
      <Checkbox.Group
        label={t('posts:announcing.accounts')}
        error={missing.accounts ?? errorAt(errors, 'account_ids')}
        value={[...accountIds]}
        onChange={(ids) => {
          setChosen(ids)
          setMissing({})
        }}
      >
        <div className="announce-accounts">
          {connected.map((account) => (
            <Checkbox
              key={account.id}
              value={account.id}
              disabled={busy}
              label={
                <span className="announce-account">
                  <ChannelIcon channel={account.kind} size={16} /> {account.name} <small className="dim">{channelName(account.kind)}</small>
                </span>
              }
            />
          ))}
        </div>
        {accounts.isSuccess && connected.length === 0 && (
          <p className="field-note">
            <Link className="link" to={paths.account}>
              {t('posts:announcing.connect')}
            </Link>
          </p>
        )}
      </Checkbox.Group>
      <Radio.Group label={t('posts:announcing.text')} value={byTemplate ? 'template' : 'summary'} onChange={(next) => setByTemplate(next === 'template')}>
        <div className="announce-choices">
          <Radio value="summary" disabled={busy} label={t(hasSummary ? 'posts:announcing.bySummary' : 'posts:announcing.byTitle')} />
          <Radio
            value="template"
            disabled={busy || assistantId === null}
            label={t('posts:announcing.byTemplate')}
            description={assistantId === null ? t('posts:announcing.byTemplateHint') : undefined}
          />
        </div>
      </Radio.Group>
      <Radio.Group label={t('posts:announcing.then')} value={then} onChange={(next) => setThen(next)}>
        <div className="announce-choices">
          <Radio value="draft" disabled={busy} label={t('posts:announcing.asDraft')} />
          <Radio value="now" disabled={busy} label={t('posts:announcing.now')} />
          <Radio value="later" disabled={busy} label={t('posts:announcing.later')} />
        </div>
      </Radio.Group>
      {then === 'later' && (
        <TextInput
          type="datetime-local"
          label={t('posts:actions.when')}
          min={wallTime(new Date(), zone)}
          value={planned}
          error={missing.planned}
          disabled={busy}
          onChange={({ currentTarget }) => {
            setPlanned(currentTarget.value)
            setMissing({})
          }}
        />
      )}
      <p className="field-note">{t('posts:announcing.card')}</p>
      <WritingState writing={writing} problem={Object.keys(errors).length > 0 ? null : announce.error} />
      <Foot onClose={onClose} label={t('cancel')}>
        <Button type="submit" loading={busy} disabled={!isThere}>
          {t(then === 'draft' ? 'posts:announcing.makeDraft' : then === 'now' ? 'posts:actions.publish' : 'posts:actions.schedule')}
        </Button>
      </Foot>
    </form>
  )
}

function Foot({ onClose, label, children }: { onClose: () => void; label: string; children: ReactNode }) {
  return (
    <div className="dialog-foot">
      <Button variant="default" onClick={onClose}>
        {label}
      </Button>
      {children}
    </div>
  )
}

interface PageStateProps {
  page: { data?: { address: string; is_there: boolean; status: number | null; code: Problem['code'] | null } | undefined; error: Problem | null; isFetching: boolean }
  onRetry: () => void
}

/** Whether readers get the article at its address, or why it is announced to nobody yet. */
function PageState({ page: { data, error, isFetching }, onRetry }: PageStateProps) {
  const { t } = useTranslation(['common', 'posts'])
  const problem = error ?? (data?.code ? { code: data.code, params: { status: data.status } } : null)
  return (
    <div className="announce-page" role="status" data-bad={(!isFetching && problem !== null) || undefined}>
      {isFetching ? (
        t('posts:announcing.asking')
      ) : problem ? (
        <>
          <IconAlertTriangle size={16} aria-hidden />
          <span className="grow">
            <ProblemText problem={problem} />
          </span>
          <Button size="compact-sm" variant="default" onClick={onRetry}>
            {t('tryAgain')}
          </Button>
        </>
      ) : (
        <>
          <IconCheck size={16} aria-hidden />
          <span className="grow">
            {t('posts:announcing.isThere')}{' '}
            <a className="link" href={data?.address} target="_blank" rel="noreferrer">
              {data?.address}
            </a>
          </span>
        </>
      )}
    </div>
  )
}
