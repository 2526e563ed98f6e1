import type { ComponentType, ReactNode } from 'react'
import type { AccountOut, AssistantOptionsOut, TemplateOut, TopicTreeOut, WebsiteOut } from '@/api/types.gen'

/** The choices in the form of an assistant. */
export interface Choices {
  accounts: AccountOut[]
  options: AssistantOptionsOut
  topicTrees: TopicTreeOut[]
  textTemplates: TemplateOut[]
  imageTemplates: TemplateOut[]
  /** The website that a new assistant starts with. */
  website: WebsiteOut | undefined
}

/** The field for images of the gallery; the route passes it in, because the gallery is another feature. */
export type ImagesField = ComponentType<{
  label: string
  value: string[]
  most: number
  error?: ReactNode
  onChange: (imageIds: string[]) => void
}>
