import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { WebsiteOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { FormErrors } from '@/components/form-errors'
import { lazyPart } from '@/components/lazy-part'
import { websitePath } from '@/lib/article-paths'
import { valuesOf } from './article-values'
import type { EditedArticle } from './use-article'

const BothVersions = lazyPart(async () => (await import('./both-versions')).BothVersions)

interface ArticleNoticesProps {
  edited: EditedArticle
  website: WebsiteOut | undefined
  websites: readonly WebsiteOut[] | undefined
}

/** What the writer has to know above the form: a newer version, a deleted article, a site that is not connected, errors. */
export function ArticleNotices({ edited, website, websites }: ArticleNoticesProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { form, conflict } = edited
  return (
    <>
      {conflict && (
        <BothVersions
          theirs={valuesOf(conflict.theirs)}
          mine={form.values}
          before={conflict.before}
          websites={websites ?? []}
          onLoad={conflict.load}
          onKeep={conflict.keepMine}
        />
      )}
      {edited.isGone && (
        <Banner
          tone="warn"
          title={t('articles:editor.gone')}
          action={
            <Button size="xs" variant="default" onClick={edited.asNew}>
              {t('drafts.asNew')}
            </Button>
          }
        >
          {t('drafts.goneText')}
        </Banner>
      )}
      {website && website.state !== 'connected' && (
        <Banner
          tone="warn"
          title={t('articles:editor.siteAway', { name: website.name })}
          action={
            <Button size="xs" variant="default" component={Link} to={websitePath(website.id)}>
              {t('articles:editor.toSite')}
            </Button>
          }
        >
          {t('articles:editor.siteAwayText')}
        </Banner>
      )}
      {/* the notice about a newer version or a deleted article says what to do, so the message stays away */}
      <FormErrors message={conflict || edited.isGone ? undefined : edited.message} fields={form.errors} />
    </>
  )
}
