import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link } from 'react-router'
import { PageHeader } from '@/components/page'
import { AssistantList } from '@/features/assistants/assistant-list'
import { newAssistantPath } from '@/features/assistants/links'
import { useTranslation } from '@/i18n/translation'

export function AssistantsRoute() {
  const { t } = useTranslation()
  return (
    <>
      <PageHeader
        title={t('navigation.assistants')}
        sub={t('assistants.lead')}
        actions={
          <Button component={Link} to={newAssistantPath} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('assistants.create')}
          </Button>
        }
      />
      <AssistantList />
    </>
  )
}
