/** Of posts, what their previews say. */
export const posts = {
  previewNow: 'Now',
  seeMore: '…more',
  seeLess: 'Show less',
  seeMoreSpelt: '… See more',
  like: 'Like',
  comment: 'Comment',
  repost: 'Repost',
  share: 'Share',
  reply: 'Reply',
  boost: 'Boost',
  favourite: 'Favourite',
  repostIt: 'Repost',
}
