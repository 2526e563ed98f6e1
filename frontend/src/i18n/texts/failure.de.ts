export const errors = {
  internal: 'Ein Fehler ist aufgetreten. Bitte versuche es später noch einmal.',
  unreachable: 'Der Server hat nicht geantwortet. Prüfe deine Verbindung und versuche es noch einmal.',
}

export const remedies = {
  subscription: 'Zum Abonnement',
}
