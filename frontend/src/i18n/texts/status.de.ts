export const status = {
  draft: 'Entwurf',
  waiting: 'Du bist dran',
  complete: 'Fertig',
  publishing: 'Wird veröffentlicht',
  retrying: 'Neuer Versuch',
  held: 'Angehalten',
  published: 'Veröffentlicht',
  unknown: 'Unklar',
  failed: 'Fehlgeschlagen',
  missed: 'Verpasst',
  skipped: 'Ausgelassen',
  writing: 'Wird geschrieben',
}
