import { LogoField } from '@/features/media/logo-field'
import { TemplateEditor } from '@/features/templates/template-editor'
import { paths } from '@/lib/paths'
import { generatePath } from '@/lib/router/address'
import { useNavigate } from '@/lib/router/hooks'

/** The editor of a template that does not exist yet. */
export function NewTemplateRoute() {
  const navigate = useNavigate()
  return (
    <TemplateEditor
      onCreated={(templateId) => void navigate(generatePath(paths.template, { templateId }), { replace: true })}
      logoField={LogoField}
    />
  )
}
