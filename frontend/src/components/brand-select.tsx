import { Input, Select, type SelectProps } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { brandsPath } from '@/lib/brand-path'
import { problemText } from '@/lib/problems'
import { allBrandsQuery } from '@/lib/unpaged-lists'

interface BrandSelectProps extends Pick<SelectProps, 'description' | 'error' | 'disabled' | 'placeholder'> {
  value: string | null
  onChange: (brandId: string | null) => void
}

/** The choice of a brand, or of none. Where there is no brand, a link to make one. */
export function BrandSelect({ value, onChange, description, placeholder, ...props }: BrandSelectProps) {
  const { t } = useTranslation(['common', 'brands', 'errors'])
  const brands = useQuery(allBrandsQuery)
  const items = brands.data?.items ?? []
  const isGone = value !== null && brands.isSuccess && items.every(({ id }) => id !== value)
  return (
    <div data-field="brand_id">
      <Select
        label={`${t('brands:choice.label')} ${t('optional')}`}
        description={description === undefined ? t('brands:choice.hint') : description}
        placeholder={placeholder ?? t('brands:choice.placeholder')}
        data={[
          ...items.map(({ id, name }) => ({ value: id, label: name })),
          ...(isGone ? [{ value, label: t('brands:choice.gone') }] : []),
        ]}
        value={value}
        onChange={onChange}
        clearable
        searchable
        {...props}
      />
      {brands.data?.items.length === 0 && (
        <p className="field-note">
          {t('brands:choice.none')}{' '}
          <Link className="link" to={brandsPath}>
            {t('brands:choice.make')}
          </Link>
        </p>
      )}
      {brands.isError && (
        <Input.Error mt={5} role="alert">
          {t('brands:choice.failed')} {problemText(t, brands.error)}
        </Input.Error>
      )}
    </div>
  )
}
