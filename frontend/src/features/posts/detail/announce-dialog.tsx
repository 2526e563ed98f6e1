import { Button, Checkbox, Modal, Radio, Select, TextInput } from '@mantine/core'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AccountOut, PostOut } from '@/api/types.gen'
import { channelName, ChannelIcon } from '@/components/channel'
import { ProblemText } from '@/components/problem-text'
import type { FollowedWriting } from '@/components/use-writing'
import { WritingState } from '@/components/writing-state'
import { accountsQuery } from '@/features/posts/api'
import { useTimeZone } from '@/i18n/use-format'
import { composePath } from '@/lib/compose-path'
import { paths } from '@/lib/paths'
import { errorAt, fieldErrors, type Problem } from '@/lib/problems'
import { plannedAt, wallTime } from '@/lib/time-zones'
import { allAssistantsQuery } from '@/lib/unpaged-lists'
import { pageQuery } from './announcements-api'
import { useAnnouncement } from './use-announcement'

type Timing = 'draft' | 'now' | 'later'

interface AnnounceDialogProps {
  article: PostOut
  /** Without a summary, the post begins with the title. */
  hasSummary: boolean
  onClose: () => void
}

/** The dialog that announces an article: at which accounts, with which text, and when. */
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
  const zone = useTimeZone()
  const page = useQuery(pageQuery(article.id))
  const accounts = useQuery(accountsQuery)
  const assistants = useQuery(allAssistantsQuery)
  const [chosen, setChosen] = useState<readonly string[]>()
  const [assistantId, setAssistantId] = useState<string | null>(null)
  const [byTemplate, setByTemplate] = useState(false)
  const [timing, setTiming] = useState<Timing>('draft')
  const [planned, setPlanned] = useState('')
  const [missing, setMissing] = useState<{ accounts?: string; planned?: string }>({})
  const connected = accounts.data ?? []
  const [only] = connected
  const accountIds = chosen ?? (connected.length === 1 && only ? [only.id] : [])
  const when = timing === 'later' ? plannedAt({ planned, zone }) : null
  const { start, left, writing, problem, busy } = useAnnouncement(
    article.id,
    { accountIds, assistantId, byTemplate, isDraft: timing === 'draft', plannedAt: when },
    onClose,
  )
  const errors = problem ? fieldErrors(t, problem) : {}

  const chooseAssistant = (id: string | null) => {
    const assistant = assistants.data?.items.find((candidate) => candidate.id === id)
    setAssistantId(id)
    setByTemplate(assistant !== undefined)
    if (assistant) setChosen(assistant.accounts.map((account) => account.id))
    setMissing({})
  }
  const submit = () => {
    const lacking = {
      ...(accountIds.length === 0 && { accounts: t('posts:announcing.accountMissing') }),
      ...(timing === 'later' && !when && { planned: t('posts:announcing.timeMissing') }),
    }
    setMissing(lacking)
    if (Object.keys(lacking).length === 0) void start()
  }

  if (left) return <DraftLeft {...left} writing={writing} onClose={onClose} />
  return (
    <form
      className="stack announce-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <PageState page={page} onRetry={() => void page.refetch()} />
      <Select
        label={t('posts:announcing.assistant')}
        description={t('posts:announcing.assistantHint')}
        // an assistant that writes for a website has no accounts at networks
        data={(assistants.data?.items ?? []).filter((candidate) => !candidate.website).map((candidate) => ({ value: candidate.id, label: candidate.name }))}
        value={assistantId}
        error={errors.assistant_id}
        clearable
        disabled={busy}
        onChange={chooseAssistant}
      />
      <AccountsField
        accounts={accounts.data}
        value={[...accountIds]}
        error={missing.accounts ?? errorAt(errors, 'account_ids')}
        disabled={busy}
        onChange={(ids) => {
          setChosen(ids)
          setMissing({})
        }}
      />
      <TextChoice byTemplate={byTemplate} hasSummary={hasSummary} hasTemplate={assistantId !== null} disabled={busy} onChange={setByTemplate} />
      <TimeChoice
        timing={timing}
        planned={planned}
        error={missing.planned}
        disabled={busy}
        onTiming={setTiming}
        onPlanned={(next) => {
          setPlanned(next)
          setMissing({})
        }}
      />
      <p className="field-note">{t('posts:announcing.card')}</p>
      <WritingState writing={writing} problem={Object.keys(errors).length > 0 ? null : problem} />
      <Foot onClose={onClose} label={t('cancel')}>
        <Button type="submit" loading={busy} disabled={page.data?.is_there !== true}>
          {t(timing === 'draft' ? 'posts:announcing.makeDraft' : timing === 'now' ? 'posts:actions.publish' : 'posts:actions.schedule')}
        </Button>
      </Foot>
    </form>
  )
}

interface AccountsFieldProps {
  /** Absent until the server has answered. */
  accounts: readonly AccountOut[] | undefined
  value: string[]
  error: ReactNode
  disabled: boolean
  onChange: (ids: string[]) => void
}

function AccountsField({ accounts, value, error, disabled, onChange }: AccountsFieldProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <Checkbox.Group label={t('posts:announcing.accounts')} error={error} value={value} onChange={onChange}>
      <div className="announce-accounts">
        {accounts?.map((account) => (
          <Checkbox
            key={account.id}
            value={account.id}
            disabled={disabled}
            label={
              <span className="announce-account">
                <ChannelIcon channel={account.kind} size={16} /> {account.name} <small className="dim">{channelName(account.kind)}</small>
              </span>
            }
          />
        ))}
      </div>
      {accounts?.length === 0 && (
        <p className="field-note">
          <Link className="link" to={paths.account}>
            {t('posts:announcing.connect')}
          </Link>
        </p>
      )}
    </Checkbox.Group>
  )
}

interface TextChoiceProps {
  byTemplate: boolean
  hasSummary: boolean
  /** An assistant is chosen, whose template can write the text. */
  hasTemplate: boolean
  disabled: boolean
  onChange: (byTemplate: boolean) => void
}

/** The choice of the post's text: the summary, or a text that a template writes. */
function TextChoice({ byTemplate, hasSummary, hasTemplate, disabled, onChange }: TextChoiceProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <Radio.Group label={t('posts:announcing.text')} value={byTemplate ? 'template' : 'summary'} onChange={(next) => onChange(next === 'template')}>
      <div className="announce-choices">
        <Radio value="summary" disabled={disabled} label={t(hasSummary ? 'posts:announcing.bySummary' : 'posts:announcing.byTitle')} />
        <Radio
          value="template"
          disabled={disabled || !hasTemplate}
          label={t('posts:announcing.byTemplate')}
          description={hasTemplate ? undefined : t('posts:announcing.byTemplateHint')}
        />
      </div>
    </Radio.Group>
  )
}

interface TimeChoiceProps {
  timing: Timing
  /** The wall time of the input. */
  planned: string
  error: ReactNode
  disabled: boolean
  onTiming: (timing: Timing) => void
  onPlanned: (planned: string) => void
}

/** The choice of when the post is published, or that it stays a draft. */
function TimeChoice({ timing, planned, error, disabled, onTiming, onPlanned }: TimeChoiceProps) {
  const { t } = useTranslation(['common', 'posts'])
  const zone = useTimeZone()
  return (
    <>
      <Radio.Group label={t('posts:announcing.then')} value={timing} onChange={(next) => onTiming(next)}>
        <div className="announce-choices">
          <Radio value="draft" disabled={disabled} label={t('posts:announcing.asDraft')} />
          <Radio value="now" disabled={disabled} label={t('posts:announcing.now')} />
          <Radio value="later" disabled={disabled} label={t('posts:announcing.later')} />
        </div>
      </Radio.Group>
      {timing === 'later' && (
        <TextInput
          type="datetime-local"
          label={t('posts:actions.when')}
          min={wallTime(new Date(), zone)}
          value={planned}
          error={error}
          disabled={disabled}
          onChange={({ currentTarget }) => onPlanned(currentTarget.value)}
        />
      )}
    </>
  )
}

interface DraftLeftProps {
  post: PostOut
  problem?: Problem
  writing: FollowedWriting
  onClose: () => void
}

/** Says that the draft of the post is there, but could not be finished, and links to the draft. */
function DraftLeft({ post, problem, writing, onClose }: DraftLeftProps) {
  const { t } = useTranslation(['common', 'posts'])
  return (
    <div className="stack" role="alert">
      <p>{t('posts:announcing.left')}</p>
      {problem && (
        <p className="announce-error">
          <ProblemText problem={problem} />
        </p>
      )}
      <WritingState writing={writing} />
      <Foot onClose={onClose} label={t('close')}>
        <Button component={Link} to={composePath(post.id)}>
          {t('posts:announcing.openDraft')}
        </Button>
      </Foot>
    </div>
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

/** Says whether the article can be read at its address. Until then it can't be announced. */
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
