import { Button } from '@mantine/core'
import { IconCalendarShare } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyPart } from '@/components/lazy-part'

const SubscribeDialog = lazyPart(
  async () => (await import('./subscribe-dialog')).SubscribeDialog,
)

/** The button that opens the secret address at which other programs read the calendar. */
export function Subscribe() {
  const { t } = useTranslation(['common', 'calendar'])
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="default" leftSection={<IconCalendarShare size={15} aria-hidden />} onClick={() => setOpen(true)}>
        {t('calendar:feed.subscribe')}
      </Button>
      <SubscribeDialog opened={open} onClose={() => setOpen(false)} />
    </>
  )
}
