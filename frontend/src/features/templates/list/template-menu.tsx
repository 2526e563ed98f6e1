import { ActionIcon } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconDots } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { TemplateOut } from '@/api/types.gen'
import { lazyMenu } from '@/components/lazy-menu'
import { lazyPart } from '@/components/lazy-part'
import { useTemplateActions } from './use-template-actions'

const TemplateChoices = lazyMenu(async () => (await import('./template-choices')).TemplateChoices)
const PublishDialog = lazyPart(async () => (await import('./publish-dialog')).PublishDialog)

interface TemplateMenuProps {
  template: TemplateOut
  /** Whether it is in a list: smaller, with an entry that opens the template. */
  inList?: boolean
  /** Whether there are unsaved changes, which the dialog says are kept. */
  unsaved?: boolean
  onDeleted: () => void
}

export function TemplateMenu({ template, inList = false, unsaved = false, onDeleted }: TemplateMenuProps) {
  const { t } = useTranslation(['common', 'templates'])
  const actions = useTemplateActions()
  const [publishing, publish] = useDisclosure()
  return (
    <>
      <TemplateChoices
        template={template}
        inList={inList}
        actions={actions}
        onPublish={publish.open}
        onDeleted={onDeleted}
        button={(props) => (
          <ActionIcon
            className={inList ? 'row-menu' : undefined}
            size={inList ? 32 : 36}
            variant={inList ? 'subtle' : 'default'}
            aria-label={t('templates:more', { template: template.name })}
            loading={actions.busy}
            {...props}
          >
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        )}
      />
      <PublishDialog template={template} unsaved={unsaved} opened={publishing} onClose={publish.close} />
    </>
  )
}
