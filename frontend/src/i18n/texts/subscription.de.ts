export const subscription = {
  none: 'Kein Abonnement',
  trial_one: 'Testphase, noch 1 Tag',
  trial_other: 'Testphase, noch {{count}} Tage',
  active: 'Aktiv',
  canceledUntil: 'Gekündigt, aktiv bis {{day}}',
  canceled: 'Gekündigt',
  fetchFailed: 'Abonnement konnte nicht geladen werden',
  refreshFailed: 'Abonnement konnte nicht aktualisiert werden',
  verifyFailed: 'Dein Abonnement konnte nicht geprüft werden. Bitte wende dich an den Support.',
}
