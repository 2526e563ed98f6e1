import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AccountOut, PostOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { NewerBanner } from '@/components/newer-banner'
import { problemText } from '@/lib/problems'
import { BothVersions } from './both-versions'
import { valuesOf } from './composer-values'
import { isArmed } from '@/features/posts/post-state'
import type { EditedPost } from './use-composer'

interface NoticesProps {
  edited: EditedPost
  accounts: readonly AccountOut[]
}

/** The notice that the post was changed, published or deleted elsewhere while it is edited here. */
export function Notices({ edited, accounts }: NoticesProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const { form, latest, saved, conflict } = edited
  if (conflict && !edited.isOver)
    return (
      <>
        <NewerBanner
          title={t(newerTitle(conflict.theirs, saved))}
          loadLabel={t('drafts.loadNewer')}
          onLoad={conflict.load}
          onKeep={conflict.keepMine}
        />
        <BothVersions theirs={valuesOf(conflict.theirs)} mine={form.values} before={conflict.before} accounts={accounts} />
      </>
    )
  // the message of the server's refusal
  const refusal = latest && isArmed(latest) ? 'post_going_out' : 'post_not_editable'
  return (
    <Banner
      tone="warn"
      title={edited.isGone ? t('posts:composer.gone') : problemText(t, { code: refusal, params: {} })}
      action={
        <Button size="xs" variant="default" onClick={edited.asNew}>
          {t('drafts.asNew')}
        </Button>
      }
    >
      {t('drafts.goneText')}
    </Banner>
  )
}

function newerTitle({ approval }: PostOut, saved: PostOut | undefined) {
  if (approval?.state === saved?.approval?.state) return 'posts:composer.newer'
  if (approval?.state === 'approved') return 'posts:composer.newerApproved'
  return approval?.state === 'declined' ? 'posts:composer.newerDeclined' : 'posts:composer.newer'
}
