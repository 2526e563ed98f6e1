import { paths } from '@/lib/paths'

export const newKeyPath = `${paths.account}?tab=api-keys&new`
