import type { TryoutOut } from '@/api/types.gen'

export const isOpen = ({ state }: Pick<TryoutOut, 'state'>) => state === 'queued' || state === 'running'
