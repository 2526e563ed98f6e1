import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { AccountOut, PostOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { NewerBanner } from '@/components/newer-banner'
import { problemText } from '@/lib/problems'
import { BothVersions } from './both-versions'
import { valuesOf } from './composer-values'
import { isArmed } from '@/features/posts/post-state'
import type { useComposer } from './use-composer'

interface NoticesProps {
  composer: ReturnType<typeof useComposer>
  accounts: readonly AccountOut[]
}

/** What others, another tab or its moment have made of the post, while something is written of it here. */
export function Notices({ composer, accounts }: NoticesProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const { form, now, known, newer } = composer
  if (newer && !composer.isOver)
    return (
      <>
        <NewerBanner
          title={t(newerTitle(newer, known))}
          loadLabel={t('drafts.loadNewer')}
          onLoad={() => composer.loadNewer(newer)}
          onKeep={() => composer.keepMine(newer)}
        />
        <BothVersions theirs={valuesOf(newer)} mine={form.values} before={composer.saved} accounts={accounts} />
      </>
    )
  // the server would refuse it with the same words
  const refusal = now && isArmed(now) ? 'post_going_out' : 'post_not_editable'
  return (
    <Banner
      tone="warn"
      title={composer.isGone ? t('posts:composer.gone') : problemText(t, { code: refusal, params: {} })}
      action={
        <Button size="xs" variant="default" onClick={composer.asNew}>
          {t('drafts.asNew')}
        </Button>
      }
    >
      {t('drafts.goneText')}
    </Banner>
  )
}

function newerTitle({ approval }: PostOut, known: PostOut | undefined) {
  if (approval?.state === known?.approval?.state) return 'posts:composer.newer'
  if (approval?.state === 'approved') return 'posts:composer.newerApproved'
  return approval?.state === 'declined' ? 'posts:composer.newerDeclined' : 'posts:composer.newer'
}
