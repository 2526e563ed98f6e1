/** Of posts, what their previews say. */
export const posts = {
  noPreview: 'Noch ist nichts geschrieben und kein Konto gewählt.',
  previewNow: 'Jetzt',
  seeMore: '…mehr',
  seeLess: 'Weniger zeigen',
  link: {
    ofPage: 'Titel und Bild liest das Netzwerk an der Adresse.',
    leftOut: 'Ohne den Link: Er ließe sich hier nicht antippen.',
  },
  seeMoreSpelt: '… Mehr ansehen',
  like: 'Gefällt mir',
  comment: 'Kommentar',
  repost: 'Teilen',
  share: 'Teilen',
  reply: 'Antworten',
  boost: 'Teilen',
  favourite: 'Favorisieren',
  repostIt: 'Reposten',
}
