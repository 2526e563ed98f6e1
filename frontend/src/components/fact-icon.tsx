import type { PostFact } from '@/api/types.gen'
import { StatusIcon, type Status } from './status'

const looks: Record<PostFact, Status> = {
  live: 'published',
  waiting: 'waiting',
  publishing: 'publishing',
  retrying: 'retrying',
  held: 'held',
  unknown: 'unknown',
  missed: 'missed',
  not_updated: 'failed',
  not_deleted: 'failed',
}

/** The icon beside a filter's name. */
export const FactIcon = ({ fact }: { fact: PostFact }) => <StatusIcon status={looks[fact]} size={14} />
