import type { CSSProperties } from 'react'
import { useTranslation } from 'react-i18next'
import type { Draft } from '@/features/topics/suggestions/offers'
import { TitleInput, type TitleInputProps } from './title-input'

interface DraftRowProps extends Omit<TitleInputProps, 'title'> {
  draft: Draft
  top: number
  height: number
  deepest: number
}

/** The row in which the title of a new topic is typed. */
export function DraftRow({ draft, top, height, deepest, ...input }: DraftRowProps) {
  const { t } = useTranslation(['common', 'topics'])
  const style = { top, height, '--d': Math.min(draft.depth, deepest) } as CSSProperties
  return (
    <div
      className="tree-row"
      role="treeitem"
      aria-level={draft.depth + 1}
      aria-selected={false}
      aria-label={t('topics:newTitle')}
      data-draft
      style={style}
    >
      <span className="tree-grip" aria-hidden />
      <span className="tree-pad" aria-hidden />
      <span className="tree-arrow" aria-hidden>
        <i />
      </span>
      <TitleInput key={`${draft.place.parentId} ${draft.place.afterId}`} title="" {...input} />
    </div>
  )
}
