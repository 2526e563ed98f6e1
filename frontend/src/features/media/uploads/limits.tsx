import { useTranslation } from 'react-i18next'
import type { MediaKind } from '@/api/types.gen'
import { LARGEST } from '@/features/media/file-kinds'

const MEGABYTES = 1_000 // in a gigabyte

/** Which files may be uploaded, and how large they may be. */
export function Limits({ kinds }: { kinds: readonly MediaKind[] }) {
  const { t } = useTranslation(['common', 'media'])
  return kinds.length > 1 ? t('media:limitsAll', { ...LARGEST, video: LARGEST.video / MEGABYTES }) : t('media:limits', { limit: LARGEST.image })
}
