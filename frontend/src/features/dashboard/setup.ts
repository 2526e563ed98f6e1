import { paths } from '@/lib/paths'

export interface SetupStep {
  name: 'Account' | 'Template' | 'Topics' | 'Assistant' | 'Activate'
  to: string
  done: boolean
}

interface Totals {
  accounts: number
  templates: number
  topicTrees: number
  assistants: number
  active: number
}

/** The way to the first post; each step is done as soon as what it makes exists. */
export const setupSteps = ({ accounts, templates, topicTrees, assistants, active }: Totals): SetupStep[] => [
  { name: 'Account', to: paths.account, done: accounts > 0 },
  { name: 'Template', to: paths.templates, done: templates > 0 },
  { name: 'Topics', to: paths.topics, done: topicTrees > 0 },
  { name: 'Assistant', to: `${paths.assistants}?new`, done: assistants > 0 },
  { name: 'Activate', to: paths.assistants, done: active > 0 },
]
