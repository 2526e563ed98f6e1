import { generatePath, useNavigate } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { TemplateEditor } from '@/features/templates/editor/template-editor'
import { paths } from '@/lib/paths'

const DetailsPanel = lazyPart(
  async () => (await import('@/features/templates/editor/details-panel')).DetailsPanel,
  <section className="panel details-space" />,
)
const LogoField = lazyPart(async () => (await import('@/features/media/pickers/logo-field')).LogoField)

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
