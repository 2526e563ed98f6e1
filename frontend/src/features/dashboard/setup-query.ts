import { readAccountSetupStateOptions } from '@/api/@tanstack/react-query.gen'

export const setupQuery = readAccountSetupStateOptions()
