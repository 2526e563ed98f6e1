export const status = {
  draft: 'Draft',
  waiting: 'Your turn',
  complete: 'Complete',
  publishing: 'Publishing',
  retrying: 'Retrying',
  held: 'Held',
  published: 'Published',
  unknown: 'Unclear',
  failed: 'Failed',
  missed: 'Missed',
  skipped: 'Skipped',
  writing: 'Being written',
}
