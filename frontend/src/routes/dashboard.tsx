import { Dashboard } from '@/features/dashboard/dashboard'

export function DashboardRoute() {
  return <Dashboard />
}
