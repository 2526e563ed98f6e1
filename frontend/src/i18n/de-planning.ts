import type { planning as en } from './en-planning'
import type { Shape } from './shape'
import { approvalLink } from './texts/approval-link.de'
import { calendar } from './texts/calendar.de'
import { composer } from './texts/composer.de'
import { postList } from './texts/post-list.de'
import { writing } from './texts/writing.de'

export const planning: Shape<typeof en> = { approvalLink, calendar, composer, posts: postList, writing }
