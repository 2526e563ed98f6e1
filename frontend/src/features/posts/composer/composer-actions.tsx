import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { EditedPost } from './use-composer'
import type { ComposerCommands } from './use-composer-commands'

interface ActionsProps {
  edited: EditedPost
  commands: ComposerCommands
}

/** The buttons in the head of the composer. */
export function ComposerHeadActions({ edited, commands }: ActionsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { saving, changes } = edited
  const { isPublishing } = commands
  if (edited.onItsWay)
    return (
      <>
        <Button
          variant={edited.waitsForApproval ? 'default' : 'filled'}
          type="submit"
          loading={saving || isPublishing}
          disabled={changes === 0}
        >
          {t('save')}
        </Button>
        {edited.waitsForApproval && (
          <Button loading={saving || isPublishing} onClick={() => void commands.save(true)}>
            {t('drafts.approve')}
          </Button>
        )}
      </>
    )
  return (
    <>
      <Button variant="subtle" disabled={saving || changes === 0} onClick={() => void commands.save(false)}>
        {t('drafts.saveDraft')}
      </Button>
      <Button variant="default" disabled={isPublishing} onClick={() => void commands.publishNow()}>
        {t('posts:actions.publish')}
      </Button>
      <Button type="submit" loading={isPublishing}>
        {t('drafts.schedule')}
      </Button>
    </>
  )
}

/** The buttons at the foot of the page on a narrow screen. */
export function ComposerFoot({ edited, commands }: ActionsProps) {
  const { t } = useTranslation(['common', 'posts'])
  const { onItsWay, saving } = edited
  const { isPublishing } = commands
  return (
    <div className="composer-foot">
      {!onItsWay && (
        <Button variant="default" disabled={isPublishing} onClick={() => void commands.publishNow()}>
          {t('posts:actions.publish')}
        </Button>
      )}
      <Button type="submit" loading={onItsWay ? saving || isPublishing : isPublishing}>
        {t(onItsWay ? 'save' : 'drafts.schedule')}
      </Button>
    </div>
  )
}
