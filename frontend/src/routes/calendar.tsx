import { lazyPart } from '@/components/lazy-part'
import { CalendarView } from '@/features/calendar/calendar-view'

const PostDrawer = lazyPart(
  async () =>
    (await import('@/features/posts/detail/post-drawer'))
      .PostDrawer,
)

export function CalendarRoute() {
  return <CalendarView PostDrawer={PostDrawer} />
}
