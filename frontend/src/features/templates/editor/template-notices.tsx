import { Button } from '@mantine/core'
import type { Ref } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { Banner } from '@/components/banner'
import { FormErrors } from '@/components/form-errors'
import { NewerBanner } from '@/components/newer-banner'
import { comparePath } from '@/features/templates/links'
import { paths } from '@/lib/paths'
import type { EditedTemplate } from './use-template-form'

interface TemplateNoticesProps {
  edited: EditedTemplate
  /** The template was deleted elsewhere. */
  isDeleted: boolean
  ref: Ref<HTMLDivElement>
}

/** What the writer has to know above the form: a newer version, a deleted template, why it was not saved. */
export function TemplateNotices({ edited, isDeleted, ref }: TemplateNoticesProps) {
  const { t } = useTranslation(['common', 'templates'])
  const { conflict, message } = edited
  return (
    <div className="notices" ref={ref} tabIndex={-1}>
      {isDeleted && (
        <Banner
          tone="warn"
          title={t('templates:goneTitle')}
          action={
            <span className="banner-actions">
              <Button size="xs" variant="default" loading={edited.saving} onClick={() => edited.submit()}>
                {t('templates:saveAsNew')}
              </Button>
              <Button size="xs" variant="default" component={Link} to={paths.templates}>
                {t('templates:backToList')}
              </Button>
            </span>
          }
        >
          {t('templates:goneText')}
        </Banner>
      )}
      {conflict && (
        <NewerBanner
          title={t('templates:staleTitle', { number: conflict.theirs.version })}
          loadLabel={t('templates:loadNewer', { number: conflict.theirs.version })}
          onLoad={conflict.load}
          onKeep={conflict.keepMine}
        >
          <Button
            size="xs"
            variant="default"
            component={Link}
            to={comparePath(conflict.theirs.id, edited.version, conflict.theirs.version)}
          >
            {t('templates:seeChanges')}
          </Button>
        </NewerBanner>
      )}
      {message && (
        <div className="form-errors" role="alert">
          {message}
        </div>
      )}
      <FormErrors fields={edited.form.errors} />
    </div>
  )
}
