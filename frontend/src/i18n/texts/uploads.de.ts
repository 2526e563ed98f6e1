/** Files on their way to the gallery. */
export const media = {
  pasted: 'Eingefügt {{when}}',
  uploads: 'Uploads',
  uploaded_one: '{{arrived, number}} von {{count, number}} Datei hochgeladen',
  uploaded_other: '{{arrived, number}} von {{count, number}} Dateien hochgeladen',
  uploadsFailed_one: '{{count, number}} fehlgeschlagen',
  uploadsFailed_other: '{{count, number}} fehlgeschlagen',
  cancelAll: 'Alle abbrechen',
  closeUploads: 'Liste der Uploads schließen',
  progressOf: 'Fortschritt von {{name}}',
  cancelOf: '{{name}} abbrechen',
  retryOf: '{{name}} noch einmal hochladen',
  upload: {
    waiting: 'Wartet, {{size}}',
    sending: 'Beginnt, {{size}}',
    sendingOf: '{{share}} von {{size}}',
    checking: 'Wird geprüft',
    done: 'Hochgeladen, {{size}}',
    known: 'War schon da, nichts wurde doppelt gespeichert',
    cancelled: 'Abgebrochen',
    failed: 'Fehlgeschlagen',
  },
}
