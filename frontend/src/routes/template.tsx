import { useQuery } from '@tanstack/react-query'
import { lazy } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams, useSearchParams } from 'react-router'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { NextStepBar } from '@/features/dashboard/next-step'
import { templateQuery } from '@/features/templates/api'
import { templatePath } from '@/features/templates/links'
import { TemplateEditor } from '@/features/templates/editor/template-editor'
import { TemplateHeader } from '@/features/templates/editor/template-header'
import { paths } from '@/lib/paths'
import { isMissing } from '@/lib/problems'

const TryoutPanel = lazy(async () => ({ default: (await import('@/features/templates/tryouts/tryout-panel')).TryoutPanel }))
const TemplateVersions = lazyPart(
  async () => (await import('@/features/templates/versions/versions')).TemplateVersions,
  <RowSkeletons />,
)
const DetailsPanel = lazyPart(
  async () => (await import('@/features/templates/editor/details-panel')).DetailsPanel,
  <section className="panel details-space" />,
)
const LogoField = lazyPart(async () => (await import('@/features/media/pickers/logo-field')).LogoField)

/** The editor with its tries; with `?tab=versions` what was saved before. */
export function TemplateRoute() {
  const { t } = useTranslation(['common', 'templates'])
  const { templateId = '' } = useParams()
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const template = useQuery(templateQuery(templateId))
  const isDeleted = template.error?.code === 'not_found'
  if (template.data && !isDeleted && search.get('tab') === 'versions')
    return <TemplateVersions key={templateId} template={template.data} />
  if (template.data)
    return (
      <>
        <NextStepBar after="create_template" />
        <TemplateEditor
          key={templateId}
          template={template.data}
          isDeleted={isDeleted}
          onCreated={(created) => void navigate(templatePath(created), { replace: true })}
          logoField={LogoField}
          header={TemplateHeader}
          detailsPanel={DetailsPanel}
          tryoutPanel={TryoutPanel}
        />
      </>
    )
  if (isMissing(template.error)) return <NotFound />
  return (
    <>
      <PageHeader crumbs={[{ label: t('templates:title'), to: paths.templates }]} title={t('templates:body')} />
      {template.isError ? (
        <Failure title={t('templates:readFailed')} problem={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <RowSkeletons />
      )}
    </>
  )
}
