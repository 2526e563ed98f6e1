import { generatePath } from 'react-router'
import { paths } from './paths'

/** Return the path to an assistant's run, in a drawer over the list of runs. */
export const runPath = (assistantId: string, runId: string): string =>
  `${generatePath(paths.assistant, { assistantId })}?tab=runs&run=${runId}`
