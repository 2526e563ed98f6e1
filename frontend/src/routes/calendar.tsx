import { later } from '@/components/later'
import { CalendarView } from '@/features/calendar/calendar-view'
import { withTexts } from '@/i18n'

const PostDrawer = later(
  async () =>
    (await withTexts(import('@/features/posts/post-drawer'), 'decisions', 'deliveries', 'errors', 'field-errors', 'post-outcomes', 'post-page', 'post-preview', 'post-words'))
      .PostDrawer,
)

export function CalendarRoute() {
  return <CalendarView PostDrawer={PostDrawer} />
}
