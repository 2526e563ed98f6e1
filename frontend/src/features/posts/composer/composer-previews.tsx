import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { memo, useDeferredValue } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { AccountOut, ChannelOut, FitOut, RepeatOut } from '@/api/types.gen'
import { channelName, ChannelIcon } from '@/components/channel'
import { PostPreview } from '@/components/post-preview'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { placeLink } from '@/lib/post-link'
import { problemText } from '@/lib/problems'
import { cutFrom, sentFiles } from '@/lib/sent-files'
import { textFor, type Values } from './composer-values'
import { shownContent } from './shown-content'
import type { EditedFile } from './use-files'

interface PreviewsProps {
  values: Values
  /** The loaded files of the post. */
  files: readonly EditedFile[]
  accounts: readonly AccountOut[]
  /** Undefined until loaded. */
  channels: readonly ChannelOut[] | undefined
  /** Undefined until loaded. */
  fit: readonly FitOut[] | undefined
}

/** The preview of the post for each account, with the problems that its network would report. */
export function Previews({ values, files, ...props }: PreviewsProps) {
  // what is typed comes first, what it looks like when there is time
  return <Shown values={useDeferredValue(values)} files={useDeferredValue(files)} {...props} />
}

const Shown = memo(function Shown({ values, files, accounts, channels, fit }: PreviewsProps) {
  const { t } = useTranslation(['common', 'posts'])
  if (accounts.length === 0) return <p className="composer-none">{t('posts:composer.noPreview')}</p>
  return (
    <ul className="composer-previews">
      {accounts.map((account) => {
        const limits = channels?.find(({ kind }) => kind === account.kind)?.limits
        const sent = sentFiles(files, limits)
        const accountFit = fit?.find(({ account_id }) => account_id === account.id)
        return (
          <li key={account.id}>
            <div className="composer-network">
              <ChannelIcon channel={account.kind} size={17} />
              <b>{channelName(account.kind)}</b>
              <Verdict problems={accountFit?.problems} />
            </div>
            {accountFit?.repeats && <Repeats repeats={accountFit.repeats} />}
            <PostPreview
              channel={account.kind}
              post={{ ...shownContent(account.first_comment_error ? { ...values, first_comment: '' } : values, limits), content: textFor(values, account), deliveries: [], files: sent }}
              author={{ name: account.name, pictureUrl: account.picture_url }}
              link={placeLink(values.link, files, limits)}
              pages={cutFrom(files, sent)}
            />
          </li>
        )
      })}
    </ul>
  )
})

/** A warning that the post repeats another one. It does not block publishing. */
function Repeats({ repeats }: { repeats: RepeatOut }) {
  const { t } = useTranslation(['common', 'posts'])
  const format = useFormat()
  return (
    <p className="composer-repeats" role="status">
      <IconAlertTriangle size={14} aria-hidden /> {t('posts:composer.repeats', { when: format.dayAndTime(repeats.planned_at) })}{' '}
      <Link to={generatePath(paths.post, { socialMediaPostId: repeats.post_id })}>{t('posts:composer.repeatsShow')}</Link>
    </p>
  )
}

function Verdict({ problems }: { problems: FitOut['problems'] | undefined }) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  if (!problems) return null
  const [first] = problems
  return (
    <span className="composer-verdict" data-bad={first ? true : undefined}>
      {first ? <IconAlertTriangle size={14} aria-hidden /> : <IconCheck size={14} stroke={2.4} aria-hidden />}
      {first ? problems.map((problem) => problemText(t, problem)).join(' ') : t('posts:composer.allMet')}
    </span>
  )
}
