import { generatePath } from 'react-router'
import { paths } from './paths'

/** The page that connects a website. */
export const connectWebsitePath = `${paths.websites}?connect=website`

export const websitePath = (websiteId: string) => generatePath(paths.website, { websiteId })

/** Return the path of a website's topics. */
export const websiteTopicsPath = (websiteId: string) => generatePath(paths.websiteTopics, { websiteId })

/** Return the path to a new article for a website. With `any` the page asks which website if there are several. */
export const newArticlePath = (websiteId = 'any') => `${paths.articles}?${new URLSearchParams({ new: websiteId })}`

/** Return the path of an article, below its website if that is given. */
export const articlePath = (postId: string, websiteId?: string) =>
  websiteId ? generatePath(paths.websiteArticle, { websiteId, postId }) : generatePath(paths.article, { postId })
