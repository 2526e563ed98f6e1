import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDownload } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useTimeZone } from '@/i18n/use-format'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { useUrlFilters } from '@/lib/url-filters'
import { useDownload } from './api'
import { asQuery, readFilters } from './filters'

/** The button that downloads the filtered calls. */
export function Download() {
  const { t } = useTranslation(['common', 'billing', 'errors'])
  const { filter } = useUrlFilters()
  const filters = readFilters(filter, useTimeZone())
  const download = useDownload()
  const downloadOnce = useMutateOnce(download)
  const save = () =>
    downloadOnce(asQuery(filters), {
      onError: (problem) =>
        void notifications.show({ color: 'red', message: `${t('billing:transactions.downloadFailed')} ${problemText(t, problem)}` }),
    })
  return (
    <Button variant="default" leftSection={<IconDownload size={15} aria-hidden />} loading={download.isPending} onClick={save}>
      {t('billing:transactions.download')}
    </Button>
  )
}
