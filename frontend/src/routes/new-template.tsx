import { generatePath, useNavigate } from 'react-router'
import { laterPart } from '@/components/page-part'
import { DetailsPanel } from '@/features/templates/details-panel'
import { TemplateEditor } from '@/features/templates/template-editor'
import { withTexts } from '@/i18n'
import { paths } from '@/lib/paths'

const LogoField = laterPart(async () => (await withTexts(import('@/features/media/logo-field'), 'cards', 'pictures')).LogoField)

/** The editor of a template that does not exist yet. */
export function NewTemplateRoute() {
  const navigate = useNavigate()
  return (
    <TemplateEditor
      onCreated={(templateId) => void navigate(generatePath(paths.template, { templateId }), { replace: true })}
      logoField={LogoField}
      detailsPanel={DetailsPanel}
    />
  )
}
