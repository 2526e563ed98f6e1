export const posts = {
  tabs: 'Arten von Beiträgen',
  socialPosts: 'Social-Beiträge',
  approvals: 'Freigaben',
  articles: 'Artikel',
  websites: 'Websites',
}
