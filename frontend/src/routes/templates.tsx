import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader } from '@/components/page'
import { TemplateListActions } from '@/features/templates/list/list-actions'
import { TemplateList } from '@/features/templates/list/template-list'
import { paths } from '@/lib/paths'

const ImportDialog = lazyPart(
  async () => (await import('@/features/templates/list/import-dialog')).ImportDialog,
)

/** The list; with `?import` the import over it. */
export function TemplatesRoute() {
  const { t } = useTranslation(['common', 'templates'])
  const navigate = useNavigate()
  const [search] = useSearchParams()
  return (
    <>
      <PageHeader title={t('templates:title')} sub={t('templates:lead')} actions={<TemplateListActions />} />
      <TemplateList />
      <ImportDialog
        opened={search.has('import')}
        onClose={() => void navigate(paths.templates, { replace: true })}
      />
    </>
  )
}
