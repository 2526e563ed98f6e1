import type { ComponentType, ReactNode } from 'react'
import type { AccountOut, AssistantOptionsOut, TemplateOut, TopicTreeOut, WebsiteOut } from '@/api/types.gen'

/** What can be chosen in the form of an assistant. */
export interface Choices {
  accounts: AccountOut[]
  options: AssistantOptionsOut
  topicTrees: TopicTreeOut[]
  textTemplates: TemplateOut[]
  imageTemplates: TemplateOut[]
  /** That a new one begins with. */
  website: WebsiteOut | undefined
}

/** Images of the gallery in an order; where they come from is not the form's matter. */
export type ImagesField = ComponentType<{
  label: string
  value: string[]
  most: number
  error?: ReactNode
  onChange: (imageIds: string[]) => void
}>
