import { CalendarView } from '@/features/calendar/calendar-view'

export function CalendarRoute() {
  return <CalendarView />
}
