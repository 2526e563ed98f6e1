export const subscription = {
  none: 'No subscription',
  trial_one: 'Trial, 1 day left',
  trial_other: 'Trial, {{count}} days left',
  active: 'Active',
  canceledUntil: 'Canceled, active until {{day}}',
  canceled: 'Canceled',
  fetchFailed: 'Error fetching subscription details',
  refreshFailed: 'Error refreshing subscription data',
  verifyFailed: 'There was an error verifying your subscription. Please contact support.',
}
