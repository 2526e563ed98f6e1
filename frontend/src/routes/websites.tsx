import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { PageHeader } from '@/components/page'
import { PostTabs } from '@/features/posts/post-tabs'
import { ConnectDialog } from '@/features/websites/dialogs'
import { WebsiteList } from '@/features/websites/website-list'
import { useUrlFilters } from '@/lib/url-filters'
import { checkWebsite } from './website-check'

export function WebsitesRoute() {
  const { t } = useTranslation(['common', 'websites'])
  const { filter, change } = useUrlFilters()
  const connect = () => change({ connect: 'website' })
  return (
    <>
      <PageHeader
        title={t('websites:title')}
        sub={t('websites:lead')}
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={connect}>
            {t('websites:connect')}
          </Button>
        }
      >
        <PostTabs current="websites" />
      </PageHeader>
      <WebsiteList check={checkWebsite} onConnect={connect} />
      <ConnectDialog opened={filter('connect') !== ''} onClose={() => change({ connect: null })} />
    </>
  )
}
