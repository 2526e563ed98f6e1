import { approvalLink } from './texts/approval-link.en'
import { calendar } from './texts/calendar.en'
import { composer } from './texts/composer.en'
import { postList } from './texts/post-list.en'
import { writing } from './texts/writing.en'

/** Of the pages on which posts are written and planned. */
export const planning = { approvalLink, calendar, composer, posts: postList, writing }
