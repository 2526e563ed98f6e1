import { listAssistantsOptions, listBrandsOptions, listTemplatesOptions, listTopicTreesOptions } from '@/api/@tanstack/react-query.gen'
import type { TemplateType } from '@/api/types.gen'

/** The API's limit of `page_size`: what a user chooses from has to fit on one page. */
export const LARGEST_PAGE = 200

export const allAssistantsQuery = listAssistantsOptions({ query: { page_size: LARGEST_PAGE } })

export const allTopicTreesQuery = listTopicTreesOptions({ query: { page_size: LARGEST_PAGE } })

export const allTemplatesQuery = (type: TemplateType) => listTemplatesOptions({ query: { type, page_size: LARGEST_PAGE } })

export const allBrandsQuery = listBrandsOptions({ query: { page_size: LARGEST_PAGE } })
