/** Of posts, what their previews say. */
export const posts = {
  previewNow: 'Jetzt',
  seeMore: '…mehr',
  seeLess: 'Weniger zeigen',
  seeMoreSpelt: '… Mehr ansehen',
  like: 'Gefällt mir',
  comment: 'Kommentar',
  repost: 'Teilen',
  share: 'Teilen',
  reply: 'Antworten',
  boost: 'Teilen (Boost)',
  favourite: 'Favorisieren',
  repostIt: 'Reposten',
}
