import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useNavigate, useParams } from 'react-router'
import { Failure } from '@/components/failure'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { templateQuery } from '@/features/templates/api'
import { TemplateEditor } from '@/features/templates/template-editor'
import { paths } from '@/lib/paths'

export function TemplateRoute() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { templateId = '' } = useParams()
  const template = useQuery(templateQuery(templateId))
  if (template.data)
    return (
      <TemplateEditor
        key={templateId}
        template={template.data}
        onCreated={() => undefined}
        onDeleted={() => void navigate(paths.templates)}
      />
    )
  return (
    <>
      <PageHeader crumbs={[{ label: t('templates.title'), to: paths.templates }]} title={t('templates.body')} />
      {template.isError ? (
        <Failure title={t('templates.readFailed')} problem={template.error} onRetry={() => void template.refetch()} />
      ) : (
        <RowSkeletons />
      )}
    </>
  )
}
