import { later } from '@/components/later'
import { CalendarView } from '@/features/calendar/calendar-view'

const PostDrawer = later(
  async () =>
    (await import('@/features/posts/post-drawer'))
      .PostDrawer,
)

export function CalendarRoute() {
  return <CalendarView PostDrawer={PostDrawer} />
}
