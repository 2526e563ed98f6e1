import { ActionIcon, Button } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { lazyMenu } from '@/components/lazy-menu'
import type { EditedArticle } from './use-article'
import type { ArticleCommands } from './use-article-commands'

const ArticleChoices = lazyMenu(async () => (await import('./article-choices')).ArticleChoices)

interface ActionsProps {
  edited: EditedArticle
  commands: ArticleCommands
}

interface HeadActionsProps extends ActionsProps {
  /** Opens the page of the article. */
  onShow: (articleId: string) => void
}

/** The buttons in the head of the editor. */
export function ArticleHeadActions({ edited, commands, onShow }: HeadActionsProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { saved, onItsWay, isAtSite } = edited
  const Buttons = onItsWay ? ScheduledButtons : isAtSite ? AtSiteButtons : DraftButtons
  return (
    <>
      <Buttons edited={edited} commands={commands} />
      {saved && !edited.isGone && (
        <ArticleChoices
          onShow={onItsWay ? () => onShow(saved.id) : undefined}
          onDelete={() => void commands.deleteArticle()}
          button={(props) => (
            <ActionIcon
              size={36}
              variant="default"
              aria-label={t('articles:editor.moreActions')}
              loading={commands.isDeleting}
              {...props}
            >
              <IconDots size={17} aria-hidden />
            </ActionIcon>
          )}
        />
      )}
    </>
  )
}

function ScheduledButtons({ edited, commands }: ActionsProps) {
  const { t } = useTranslation(['common', 'articles'])
  const waitsForApproval = edited.saved?.approval?.state === 'waiting'
  const busy = edited.saving || commands.isPublishing
  return (
    <>
      <Button variant={waitsForApproval ? 'default' : 'filled'} type="submit" loading={busy} disabled={edited.changes === 0}>
        {t('save')}
      </Button>
      {waitsForApproval && (
        <Button loading={busy} onClick={() => void commands.save(true)}>
          {t('drafts.approve')}
        </Button>
      )}
    </>
  )
}

function AtSiteButtons({ edited, commands }: ActionsProps) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    <>
      <Button variant="default" disabled={edited.saving} onClick={() => void commands.leave()}>
        {t('articles:editor.atSite.done')}
      </Button>
      {edited.saved?.at_site?.can_update && (
        <Button type="submit" loading={commands.isUpdating}>
          {t('articles:editor.atSite.update')}
        </Button>
      )}
    </>
  )
}

function DraftButtons({ edited, commands }: ActionsProps) {
  const { t } = useTranslation(['common', 'articles'])
  return (
    <>
      <Button
        className="article-save"
        variant="subtle"
        disabled={edited.saving || edited.changes === 0}
        onClick={() => void commands.save(false)}
      >
        {t('drafts.saveDraft')}
      </Button>
      <Button variant="default" disabled={commands.isPublishing} onClick={() => void commands.publishNow()}>
        {t('articles:editor.publish')}
      </Button>
      <Button type="submit" loading={commands.isPublishing}>
        {t('drafts.schedule')}
      </Button>
    </>
  )
}

/** The buttons at the foot of the page on a narrow screen. */
export function ArticleFoot({ edited, commands }: ActionsProps) {
  const { t } = useTranslation(['common', 'articles'])
  const { onItsWay, isAtSite, saving } = edited
  const { isPublishing, isUpdating } = commands
  return (
    <div className="article-foot">
      {isAtSite ? (
        <Button variant="default" disabled={saving} onClick={() => void commands.leave()}>
          {t('articles:editor.atSite.done')}
        </Button>
      ) : (
        !onItsWay && (
          <Button variant="default" disabled={isPublishing} onClick={() => void commands.publishNow()}>
            {t('articles:editor.publish')}
          </Button>
        )
      )}
      <Button type="submit" loading={onItsWay ? saving || isPublishing : isPublishing || isUpdating}>
        {t(onItsWay ? 'save' : isAtSite ? 'articles:editor.atSite.update' : 'drafts.schedule')}
      </Button>
    </div>
  )
}
