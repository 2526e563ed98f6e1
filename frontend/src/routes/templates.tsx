import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { lazyPart } from '@/components/lazy-part'
import { LinkTabs } from '@/components/link-tabs'
import { PageHeader } from '@/components/page'
import { RowSkeletons } from '@/components/skeletons'
import { brandPath, brandsPath } from '@/lib/brand-path'
import { TemplateListActions } from '@/features/templates/list/list-actions'
import { TemplateList } from '@/features/templates/list/template-list'
import { paths } from '@/lib/paths'

const ImportDialog = lazyPart(
  async () => (await import('@/features/templates/list/import-dialog')).ImportDialog,
)
const BrandList = lazyPart(async () => (await import('@/features/brands/brand-list')).BrandList, <RowSkeletons />)
const NewBrandButton = lazyPart(async () => (await import('@/features/brands/brand-actions')).NewBrandButton)
const BrandPage = lazyPart(async () => (await import('@/features/brands/brand-page')).BrandPage, <RowSkeletons rows={6} />)
const LogoField = lazyPart(async () => (await import('@/features/media/pickers/logo-field')).LogoField)

/** The list of templates, with `?import` the import over it; with `?tab=brands` the brands, and `&brand=` one of them. */
export function TemplatesRoute() {
  const navigate = useNavigate()
  const [search] = useSearchParams()
  const brandId = search.get('brand')
  if (search.get('tab') !== 'brands') return <Templates isImporting={search.has('import')} />
  if (!brandId) return <Brands />
  return (
    <BrandPage
      key={brandId}
      brandId={brandId}
      logoField={LogoField}
      onCreated={(created) => void navigate(brandPath(created), { replace: true })}
    />
  )
}

function Templates({ isImporting }: { isImporting: boolean }) {
  const { t } = useTranslation(['common', 'templates'])
  const navigate = useNavigate()
  return (
    <>
      <PageHeader title={t('templates:title')} sub={t('templates:lead')} actions={<TemplateListActions />}>
        <Tabs current="templates" />
      </PageHeader>
      <TemplateList />
      <ImportDialog opened={isImporting} onClose={() => void navigate(paths.templates, { replace: true })} />
    </>
  )
}

function Brands() {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <>
      <PageHeader title={t('templates:brands')} sub={t('templates:brandsLead')} actions={<NewBrandButton />}>
        <Tabs current="brands" />
      </PageHeader>
      <BrandList />
    </>
  )
}

function Tabs({ current }: { current: 'templates' | 'brands' }) {
  const { t } = useTranslation(['common', 'templates'])
  return (
    <LinkTabs
      label={t('templates:listTabs')}
      current={current}
      tabs={[
        { name: 'templates', label: t('templates:tabTemplates'), to: paths.templates },
        { name: 'brands', label: t('templates:brands'), to: brandsPath },
      ]}
    />
  )
}
