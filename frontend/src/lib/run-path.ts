import { generatePath } from 'react-router'
import { paths } from './paths'

/** A run of an assistant in its drawer, over the list of all. */
export const runPath = (assistantId: string, runId: string): string =>
  `${generatePath(paths.assistant, { assistantId })}?tab=runs&run=${runId}`
