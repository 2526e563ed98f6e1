import { readSubscriptionOptions } from '@/api/@tanstack/react-query/subscription.gen'

export const subscriptionQuery = readSubscriptionOptions()
