import { useNavigate, useSearchParams } from 'react-router'
import { later } from '@/components/later'
import { PageHeader } from '@/components/page'
import { TemplateListActions } from '@/features/templates/list-actions'
import { TemplateList } from '@/features/templates/template-list'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'

const ImportDialog = later(
  async () => (await withTexts(import('@/features/templates/import-dialog'), 'errors', 'template-editor', 'template-settings', 'template-versions', 'templates', 'tryouts')).ImportDialog,
)

/** The list; with `?import` the import over it. */
export function TemplatesRoute() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
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
