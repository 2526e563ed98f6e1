/** Of posts, the tabs over all of their kinds. */
export const posts = {
  tabs: 'Kinds of posts',
  socialPosts: 'Social posts',
  approvals: 'Approvals',
  articles: 'Articles',
  websites: 'Websites',
}
