import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Failure } from '@/components/failure'
import { NotFound } from '@/components/not-found'
import { RowSkeletons } from '@/components/skeletons'
import { NEW_BRAND } from '@/lib/brand-path'
import { isMissing } from '@/lib/problems'
import { brandQuery } from './api'
import { BrandEditor, type LogoField } from './brand-editor'

interface BrandPageProps {
  /** `new` for a brand that does not exist yet. */
  brandId: string
  logoField: LogoField
  onCreated: (brandId: string) => void
}

/** The editor of a new or a saved brand. */
export function BrandPage({ brandId, logoField, onCreated }: BrandPageProps) {
  if (brandId === NEW_BRAND) return <BrandEditor logoField={logoField} onCreated={onCreated} />
  return <SavedBrand key={brandId} brandId={brandId} logoField={logoField} onCreated={onCreated} />
}

function SavedBrand({ brandId, logoField, onCreated }: BrandPageProps) {
  const { t } = useTranslation(['common', 'brands'])
  const brand = useQuery(brandQuery(brandId))
  const isGone = isMissing(brand.error)
  // one that was deleted while it is shown can be saved as a new one
  if (brand.data) return <BrandEditor brand={brand.data} isGone={isGone} logoField={logoField} onCreated={onCreated} />
  if (isGone) return <NotFound />
  if (brand.isError) return <Failure title={t('brands:readFailed')} problem={brand.error} onRetry={() => void brand.refetch()} />
  return <RowSkeletons rows={6} />
}
