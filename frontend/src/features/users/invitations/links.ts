import { paths } from '@/lib/paths'

export const newInvitationPath = `${paths.invitations}?new`
