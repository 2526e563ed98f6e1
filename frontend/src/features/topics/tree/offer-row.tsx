import { ActionIcon, Button } from '@mantine/core'
import { IconCheck, IconSparkles, IconX } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { RoundState, roundText } from '@/features/topics/suggestions/round-state'
import type { Offer } from '@/features/topics/suggestions/offers'

interface OfferRowProps {
  id: string
  guest: Offer
  /** The position among the rows of its round, from 1, and their number. */
  position: number
  siblings: number
  active: boolean
  top: number
  height: number
  deepest: number
  /** Whether its buttons have no room for text. */
  narrow: boolean
}

/**
 * The row of a suggested subtopic, or of the state of its round. As with topics, the tree handles clicks by data
 * attributes.
 */
export function OfferRow({ id, guest, position, siblings, active, top, height, deepest, narrow }: OfferRowProps) {
  const { t } = useTranslation(['common', 'errors', 'topics'])
  const title = guest.kind === 'title' ? guest.title.title : undefined
  const failed = guest.kind === 'round' && guest.round.state === 'failed'
  const fruitless = guest.kind === 'round' && (failed || guest.round.state === 'succeeded')
  return (
    <div
      id={id}
      role="treeitem"
      aria-label={title === undefined ? roundText(t, guest.round) : `${t('topics:suggest.one')}: ${title}`}
      aria-level={guest.depth + 1}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={active}
      aria-keyshortcuts={title !== undefined || fruitless ? 'Enter Delete' : undefined}
      className="tree-row tree-offer"
      data-offer={guest.id}
      data-on={active || undefined}
      style={{ top, height, '--d': Math.min(guest.depth, deepest) } as CSSProperties}
    >
      <span className="tree-grip" data-fixed aria-hidden />
      <span className="tree-pad" aria-hidden />
      <span className="tree-arrow" aria-hidden>
        {title === undefined || narrow ? <IconSparkles size={15} /> : <i />}
      </span>
      {title === undefined ? (
        <span className="grow clip">
          <RoundState round={guest.round} />
        </span>
      ) : (
        <>
          <span className="grow clip" data-part="title">
            {title}
          </span>
          {!narrow && (
            <span className="tree-suggested nowrap">
              <IconSparkles size={14} aria-hidden />
              {t('topics:suggest.one')}
            </span>
          )}
        </>
      )}
      {title !== undefined && (
        <>
          <RowButton part="keep" narrow={narrow} icon={<IconCheck size={16} aria-hidden />} label={t('topics:suggest.keepThis', { title })}>
            {t('topics:suggest.keep')}
          </RowButton>
          <RowButton part="discard" narrow={narrow} icon={<IconX size={16} aria-hidden />} label={t('topics:suggest.discardThis', { title })}>
            {t('topics:suggest.discard')}
          </RowButton>
        </>
      )}
      {fruitless && (
        <>
          <Button data-part="keep" size="compact-xs" variant="light" tabIndex={-1}>
            {t('tryAgain')}
          </Button>
          <ActionIcon data-part="discard" size={28} tabIndex={-1} aria-label={t('close')}>
            <IconX size={15} aria-hidden />
          </ActionIcon>
        </>
      )}
    </div>
  )
}

interface RowButtonProps {
  part: 'keep' | 'discard'
  narrow: boolean
  icon: ReactNode
  label: string
  children: ReactNode
}

function RowButton({ part, narrow, icon, label, children }: RowButtonProps) {
  const color = part === 'keep' ? 'petrol' : 'gray'
  if (narrow)
    return (
      <ActionIcon data-part={part} size={34} variant="subtle" color={color} tabIndex={-1} aria-label={label}>
        {icon}
      </ActionIcon>
    )
  return (
    <Button
      data-part={part}
      size="compact-xs"
      variant={part === 'keep' ? 'light' : 'subtle'}
      color={color}
      tabIndex={-1}
      aria-label={label}
    >
      {children}
    </Button>
  )
}
