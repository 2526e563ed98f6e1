import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Banner } from './banner'

interface NewerBannerProps {
  /** What was saved elsewhere. */
  title: string
  /** Buttons that show the newer version first. */
  children?: ReactNode
  loadLabel: string
  /** Load the newer version and discard the typed changes. */
  onLoad: () => void
  /** Keep the typed changes, over the newer version. */
  onKeep: () => void
}

/** Above a form with changes whose object was saved elsewhere meanwhile: the choice between both versions. */
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
