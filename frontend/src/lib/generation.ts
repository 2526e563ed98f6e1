import type { GenerationState } from '@/api/types.gen'

/** Return whether a model is at work on it, or will be. */
export const isAtWork = ({ state }: { state: GenerationState }) => state === 'queued' || state === 'running'
