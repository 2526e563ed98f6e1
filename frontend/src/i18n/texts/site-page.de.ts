export const sitePage = {
  notConnected: 'Die Website ist nicht verbunden',
  connecting: '{{site}} wird verbunden …',
  connectingText: 'Die Website wird gefragt, ob das neue Passwort gilt.',
  connectedText: 'Artikel können jetzt dorthin.',
  nothingHere: 'Diese Seite antwortet nur, wenn dich eine Website hierher schickt. Beginne unter Websites.',
  toWebsites: 'Alle Websites',
  toWebsite: 'Zur Website',
  startAgain: 'Neu beginnen',
  pageText: '{{kind}} fragt dich auf einer eigenen Seite und übergibt ein Passwort, das für nichts anderes gilt.',
  pageAction: 'Auf der Website erlauben',
  pageNeedsTls: '{{kind}} übergibt nur dort von selbst ein Passwort, wo diese Adresse mit https beginnt. Trage hier also eines ein.',
  byHand: 'oder von Hand eintragen',
}
