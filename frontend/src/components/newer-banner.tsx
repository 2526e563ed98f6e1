import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Banner } from './banner'

interface NewerBannerProps {
  /** What was saved elsewhere. */
  title: string
  /** Ways to look at it first. */
  children?: ReactNode
  loadLabel: string
  /** Takes the newer one, and gives up what was typed. */
  onLoad: () => void
  /** Goes on with what was typed, over the newer one. */
  onKeep: () => void
}

/** Over a form with changes, whose object was saved elsewhere meanwhile: which of the two counts. */
export function NewerBanner({ title, children, loadLabel, onLoad, onKeep }: NewerBannerProps) {
  const { t } = useTranslation()
  return (
    <Banner
      tone="warn"
      title={title}
      action={
        <span className="banner-actions">
          {children}
          <Button size="xs" variant="default" onClick={onLoad}>
            {loadLabel}
          </Button>
          <Button size="xs" variant="default" onClick={onKeep}>
            {t('keepMine')}
          </Button>
        </span>
      }
    >
      {t('newerText')}
    </Banner>
  )
}
