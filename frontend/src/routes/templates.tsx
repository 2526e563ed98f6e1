import { generatePath, useNavigate, useSearchParams } from 'react-router'
import { later } from '@/components/later'
import { PageHeader } from '@/components/page'
import { LogoField } from '@/features/media/logo-field'
import { TemplateListActions } from '@/features/templates/list-actions'
import { TemplateEditor } from '@/features/templates/template-editor'
import { TemplateList } from '@/features/templates/template-list'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'

const ImportDialog = later(async () => (await import('@/features/templates/import-dialog')).ImportDialog)

/** The list; with `?new` the editor of a template that does not exist yet, with `?import` the import over the list. */
export function TemplatesRoute() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  if (search.has('new'))
    return (
      <TemplateEditor
        onCreated={(templateId) => void navigate(generatePath(paths.template, { templateId }), { replace: true })}
        logoField={LogoField}
      />
    )
  return (
    <>
      <PageHeader title={t('templates.title')} sub={t('templates.lead')} actions={<TemplateListActions />} />
      <TemplateList />
      <ImportDialog
        opened={search.has('import')}
        onClose={() => void navigate(paths.templates, { replace: true })}
      />
    </>
  )
}
