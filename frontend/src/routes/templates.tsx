import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link, useNavigate, useSearchParams } from 'react-router'
import { PageHeader } from '@/components/page'
import { TemplateEditor } from '@/features/templates/template-editor'
import { newTemplatePath, TemplateList } from '@/features/templates/template-list'
import { paths } from '@/lib/paths'

/** The list; with `?new` the editor of a template that does not exist yet. */
export function TemplatesRoute() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [search] = useSearchParams()
  if (search.has('new'))
    return (
      <TemplateEditor
        onCreated={(templateId) => void navigate(generatePath(paths.template, { templateId }), { replace: true })}
        onDeleted={() => void navigate(paths.templates)}
      />
    )
  return (
    <>
      <PageHeader
        title={t('templates.title')}
        sub={t('templates.lead')}
        actions={
          <Button component={Link} to={newTemplatePath} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('templates.create')}
          </Button>
        }
      />
      <TemplateList />
    </>
  )
}
