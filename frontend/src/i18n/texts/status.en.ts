export const status = {
  draft: 'Draft',
  waiting: 'Your turn',
  /** Written and ready, it waits for its time. */
  complete: 'Complete · scheduled',
  completeFor: 'Complete · scheduled for {{when}}',
  /** Beside its time, where there is no room for more. */
  scheduled: 'Scheduled',
  publishing: 'Publishing',
  retrying: 'Retrying',
  held: 'Held',
  published: 'Published',
  unknown: 'Unclear',
  failed: 'Failed',
  missed: 'Missed',
  skipped: 'Skipped',
  writing: 'Being written',
  not_updated: 'Not updated',
  not_deleted: 'Not deleted',
}
