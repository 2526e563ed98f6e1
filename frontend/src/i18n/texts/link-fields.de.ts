/** Of the link of a post, what its fields say. */
export const linkFields = {
  address: 'Adresse des Links',
  cardTitle: 'Titel der Karte',
  cardDescription: 'Beschreibung der Karte (optional)',
  remove: 'Link entfernen',
  removed: 'Der Link ist entfernt.',
  asCard: '{{networks}}: eine Karte mit Titel, Beschreibung und dem ersten Bild.',
  asPageCard: '{{networks}}: eine Karte; Titel und Bild liest das Netzwerk an der Adresse.',
  asText: '{{networks}}: Die Adresse steht unter dem Text, wenn sie nicht schon darin steht.',
  leftOut: '{{networks}}: ohne den Link, denn dort ließe er sich nicht antippen.',
}
