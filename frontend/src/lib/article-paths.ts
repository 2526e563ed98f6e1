import { generatePath } from 'react-router'
import { paths } from './paths'

/** Where a website is connected. */
export const connectWebsitePath = `${paths.websites}?connect=website`

export const websitePath = (websiteId: string) => generatePath(paths.website, { websiteId })

/** What is written about for it. */
export const websiteTopicsPath = (websiteId: string) => generatePath(paths.websiteTopics, { websiteId })

/** Where an article is written for a website; it asks for which, where that is not said and there are several. */
export const newArticlePath = (websiteId = 'any') => `${paths.articles}?${new URLSearchParams({ new: websiteId })}`

/** An article, below its website where it is seen from there. */
export const articlePath = (postId: string, websiteId?: string) =>
  websiteId ? generatePath(paths.websiteArticle, { websiteId, postId }) : generatePath(paths.article, { postId })
