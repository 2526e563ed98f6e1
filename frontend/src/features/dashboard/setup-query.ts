import { readAccountSetupStateOptions } from '@/api/@tanstack/react-query/overview.gen'

export const setupQuery = readAccountSetupStateOptions()
