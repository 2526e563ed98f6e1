import { Button } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useState } from 'react'
import { later } from '@/components/later'
import { withTexts } from '@/i18n'
import { useTranslation } from '@/i18n/translation'

const SubscribeDialog = later(
  async () => (await withTexts(import('./subscribe-dialog'), 'account', 'calendar')).SubscribeDialog,
)

/** Leads to the secret address at which other programs read the calendar. */
export function Subscribe() {
  const { t } = useTranslation()
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarShare size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t('calendar.feed.subscribe')}
      </Button>
      <SubscribeDialog opened={open} onClose={() => setOpen(false)} />
    </>
  )
}
