/** Files on their way to the gallery. */
export const media = {
  pasted: 'Pasted on {{when}}',
  uploads: 'Uploads',
  uploaded_one: '{{arrived, number}} of {{count, number}} file uploaded',
  uploaded_other: '{{arrived, number}} of {{count, number}} files uploaded',
  uploadsFailed_one: '{{count, number}} failed',
  uploadsFailed_other: '{{count, number}} failed',
  cancelAll: 'Cancel all',
  closeUploads: 'Close the list of uploads',
  progressOf: 'Progress of {{name}}',
  cancelOf: 'Cancel {{name}}',
  retryOf: 'Upload {{name}} again',
  upload: {
    waiting: 'Waiting, {{size}}',
    sending: 'Starting, {{size}}',
    sendingOf: '{{share}} of {{size}}',
    checking: 'Being checked',
    done: 'Uploaded, {{size}}',
    known: 'Was here already, nothing was stored twice',
    cancelled: 'Cancelled',
    failed: 'Failed',
  },
}
