import type { Values } from '@/features/articles/editor/article-values'
import { isSkeleton, nextToWrite, sectionsOf, sectionText } from './article-parts'
import { STEPS, type StepName } from './use-flow'

export type FlowValues = Pick<Values, 'title' | 'content' | 'summary' | 'seo_title' | 'seo_description' | 'language'>

export interface FlowProgress {
  done: Record<StepName, boolean>
  /** The first step that is not done. */
  next: StepName | undefined
  /** How many sections have a heading, and how many of these have a text. */
  sections: number
  written: number
  /** The article has headings at most, and no text. */
  isSkeleton: boolean
}

/** Return which parts of the article are written. */
export function flowProgress(values: FlowValues): FlowProgress {
  const { content } = values
  const headed = sectionsOf(content).filter(({ heading }) => heading.trim() !== '')
  const done = {
    outline: headed.length > 0,
    sections: headed.length > 0 && nextToWrite(content) === undefined,
    summary: values.summary.trim() !== '',
    search: (values.seo_title + values.seo_description).trim() !== '',
  }
  return {
    done,
    next: STEPS.find((step) => !done[step]),
    sections: headed.length,
    written: headed.filter((section) => sectionText(content, section) !== '').length,
    isSkeleton: isSkeleton(content),
  }
}
