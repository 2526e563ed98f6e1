import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconCloudUpload, IconWorldOff } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { ArticleOut, AtSiteOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { useConfirm } from '@/components/confirm'
import { useFormat } from '@/i18n/use-format'
import { detailText } from '@/lib/network-message'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText, type Problem } from '@/lib/problems'
import { useDiscardChanges, useTakeDown, useUpdateArticle } from './api'
import { isBusy } from './article-state'

interface AtSiteProps {
  article: ArticleOut
  at: AtSiteOut
}

/** The state of a published article at its site, compared with the saved one. */
export function AtSite({ article, at }: AtSiteProps) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    <>
      <Difference article={article} at={at} />
      {at.status && (
        <Banner tone="warn" title={t('articles:atSite.unseen')}>
          {t('articles:atSite.unseenText', { status: at.status })}
        </Banner>
      )}
      {at.slug && at.slug !== article.fields.slug && (
        <p className="fine-print">{t('articles:atSite.renamed', { slug: at.slug, asked: article.fields.slug })}</p>
      )}
    </>
  )
}

/** The changes that are not at the site yet, and their state. */
function Difference({ article, at }: AtSiteProps) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const format = useFormat()
  const confirm = useConfirm()
  const update = useUpdateArticle()
  const discard = useDiscardChanges()
  const request = { path: { article_id: article.id }, body: { version: article.version } }
  const failed = (sentence: string) => (problem: Problem) =>
    notifications.show({ color: 'red', message: `${sentence} ${problemText(t, problem)}` })

  const askToDiscard = useOneAtATime(async () => {
    const sure = await confirm({
      title: t('articles:atSite.discardTitle'),
      text: t('articles:atSite.discardText'),
      action: t('articles:atSite.discard'),
      danger: true,
    })
    if (!sure) return
    await discard
      .mutateAsync(request, {
        onSuccess: () => notifications.show({ message: t('articles:atSite.discarded') }),
        onError: failed(t('articles:atSite.discardFailed')),
      })
      .catch(() => undefined)
  })

  const { revision } = at
  const why = revision?.error_code && problemText(t, { code: revision.error_code, params: {} })
  const detail = revision?.error_detail && detailText(t, revision.error_detail, t('articles:atSite.website'), (words) => t('articles:atSite.said', { detail: words }))
  const detailLine = detail && <p className="dim">{detail}</p>
  if (revision?.state === 'waiting')
    return revision.error_code && revision.next_at ? (
      <Banner tone="warn" title={t('articles:atSite.asksAgain')}>
        {t('articles:atSite.asksAgainText', { when: format.dayAndTime(revision.next_at) })} {why}
        {detailLine}
      </Banner>
    ) : (
      <Banner tone="info" icon={<IconCloudUpload size={18} aria-hidden />} title={t('articles:atSite.waiting')}>
        {t('articles:atSite.waitingText')}
      </Banner>
    )
  if (at.same) return null
  const hasFailed = revision?.state === 'failed'
  const title = hasFailed ? 'failed' : at.can_discard ? 'differs' : 'unsure'
  return (
    <Banner
      tone={hasFailed ? 'bad' : 'info'}
      icon={hasFailed ? undefined : <IconCloudUpload size={18} aria-hidden />}
      title={t(`articles:atSite.${title}`)}
      action={
        !isBusy(article) && (
          <span className="at-site-actions">
            {at.can_discard && (
              <Button size="xs" variant="subtle" loading={discard.isPending} onClick={() => void askToDiscard()}>
                {t('articles:atSite.discard')}
              </Button>
            )}
            {at.can_update && (
              <Button
                size="xs"
                loading={update.isPending}
                onClick={() => update.mutate(request, { onError: failed(t('articles:atSite.updateFailed')) })}
              >
                {t(hasFailed ? 'articles:atSite.again' : 'articles:editor.atSite.update')}
              </Button>
            )}
          </span>
        )
      }
    >
      {hasFailed ? why : t(at.can_discard ? 'articles:atSite.differsText' : 'articles:atSite.unsureText')}
      {hasFailed && detailLine}
    </Banner>
  )
}

/** The button that deletes the article at its site and keeps it here. */
export function TakeDown({ article }: { article: ArticleOut }) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const confirm = useConfirm()
  const takeDown = useTakeDown()
  const delivery = article.deliveries.find(({ removable }) => removable === 'yes')
  const ask = useOneAtATime(async () => {
    const sure = await confirm({
      title: t('articles:atSite.takeDownTitle'),
      text: t('articles:atSite.takeDownText', { name: article.website_name ?? t('articles:editor.website') }),
      action: t('articles:atSite.takeDown'),
      danger: true,
    })
    if (!sure) return
    await takeDown
      .mutateAsync(
        { path: { article_id: article.id }, body: { version: article.version } },
        {
          onError: (problem) =>
            notifications.show({ color: 'red', message: `${t('articles:atSite.takeDownFailed')} ${problemText(t, problem)}` }),
        },
      )
      .catch(() => undefined)
  })
  if (!article.at_site || !delivery || isBusy(article)) return null
  return (
    <Button
      variant="default"
      leftSection={<IconWorldOff size={15} aria-hidden />}
      loading={takeDown.isPending}
      onClick={() => void ask()}
    >
      {t('articles:atSite.takeDown')}
    </Button>
  )
}
