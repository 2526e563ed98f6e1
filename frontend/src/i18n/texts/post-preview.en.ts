/** Of posts, what their previews say. */
export const posts = {
  noPreview: 'Nothing is written yet, and no account is chosen.',
  previewNow: 'Now',
  seeMore: '…more',
  seeLess: 'Show less',
  link: {
    ofPage: 'The network reads title and picture at the address.',
    leftOut: 'Without the link: nobody could press it here.',
  },
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
