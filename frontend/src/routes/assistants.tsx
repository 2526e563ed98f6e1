import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { PageHeader } from '@/components/page'
import { AssistantList } from '@/features/assistants/assistant-list'
import { newAssistantPath } from '@/features/assistants/links'

export function AssistantsRoute() {
  const { t } = useTranslation(['common', 'assistants', 'navigation'])
  return (
    <>
      <PageHeader
        title={t('navigation:assistants')}
        sub={t('assistants:lead')}
        actions={
          <Button component={Link} to={newAssistantPath} leftSection={<IconPlus size={15} aria-hidden />}>
            {t('assistants:create')}
          </Button>
        }
      />
      <AssistantList />
    </>
  )
}
