export const status = {
  draft: 'Entwurf',
  waiting: 'Du bist dran',
  /** Geschrieben und fertig, er wartet auf seine Zeit. */
  complete: 'Fertig · geplant',
  completeFor: 'Fertig · geplant für {{when}}',
  /** Neben der Uhrzeit, wo für mehr kein Platz ist. */
  scheduled: 'Geplant',
  publishing: 'Wird veröffentlicht',
  retrying: 'Neuer Versuch',
  held: 'Angehalten',
  published: 'Veröffentlicht',
  unknown: 'Unklar',
  failed: 'Fehlgeschlagen',
  missed: 'Verpasst',
  skipped: 'Ausgelassen',
  writing: 'Wird geschrieben',
  not_updated: 'Nicht aktualisiert',
  not_deleted: 'Löschen fehlgeschlagen',
}
