import { ActionIcon, Button, Menu } from '@mantine/core'
import { IconDots, IconPencil, IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { BrandOut } from '@/api/types.gen'
import { DataList, type Column } from '@/components/data-list'
import { EmptyState } from '@/components/empty-state'
import { Failure } from '@/components/failure'
import { RowSkeletons } from '@/components/skeletons'
import { isLanguage } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { brandPath, newBrandPath } from '@/lib/brand-path'
import { allBrandsQuery } from '@/lib/unpaged-lists'
import { useDeleteBrandOnce } from './use-delete-brand'

/** The brands of the user. */
export function BrandList() {
  const { t } = useTranslation(['common', 'brands'])
  const brands = useQuery(allBrandsQuery)
  if (brands.isPending) return <RowSkeletons />
  if (brands.isError && !brands.data)
    return <Failure title={t('brands:listFailed')} problem={brands.error} onRetry={() => void brands.refetch()} />
  const { items } = brands.data
  if (items.length === 0) return <NoBrands />
  return (
    <>
      <BrandTable rows={items} />
      <p className="listfoot num">{t('brands:count', { count: items.length })}</p>
    </>
  )
}

function NoBrands() {
  const { t } = useTranslation(['common', 'brands'])
  return (
    <EmptyState
      title={t('brands:emptyTitle')}
      text={t('brands:emptyText')}
      actions={
        <Button component={Link} to={newBrandPath} leftSection={<IconPlus size={15} aria-hidden />}>
          {t('brands:create')}
        </Button>
      }
    />
  )
}

function BrandTable({ rows }: { rows: BrandOut[] }) {
  const { t } = useTranslation(['common', 'brands'])
  const format = useFormat()
  const columns: Column<BrandOut>[] = [
    {
      key: 'name',
      header: t('brands:name'),
      card: 'start',
      cell: (brand) => (
        <div className="two-lines">
          <Link className="rowlink" to={brandPath(brand.id)}>
            {brand.name}
          </Link>
          <small className="clip-2">{brand.about}</small>
        </div>
      ),
    },
    {
      key: 'voice',
      header: t('brands:voice'),
      card: 'wide',
      cell: ({ voice }) => voice && <span className="clip-2">{voice}</span>,
    },
    {
      key: 'languages',
      header: t('brands:languages'),
      card: 'wide',
      cell: ({ languages }) => format.list(languages.map((language) => (isLanguage(language) ? t(`languages.${language}`) : language))),
    },
    {
      key: 'used',
      header: t('brands:used'),
      card: 'start',
      cell: ({ assistants }) => <span className="num nowrap">{t('brands:usedBy', { count: assistants })}</span>,
    },
    {
      key: 'changed',
      header: t('brands:changed'),
      card: 'start',
      spare: true,
      cell: ({ updated_at }) => (
        <time className="num nowrap" dateTime={updated_at}>
          {format.dayAndTime(updated_at)}
        </time>
      ),
    },
    {
      key: 'actions',
      header: <span className="vh">{t('brands:actions')}</span>,
      numeric: true,
      card: 'end',
      cell: (brand) => <RowMenu brand={brand} />,
    },
  ]
  return <DataList label={t('brands:title')} columns={columns} rows={rows} rowKey={({ id }) => id} />
}

function RowMenu({ brand }: { brand: BrandOut }) {
  const { t } = useTranslation(['common', 'brands'])
  const { busy, askToDelete } = useDeleteBrandOnce()
  return (
    <Menu position="bottom-end" width={200}>
      <Menu.Target>
        <ActionIcon className="row-menu" size={32} variant="subtle" aria-label={t('brands:more', { name: brand.name })} loading={busy}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item component={Link} to={brandPath(brand.id)} leftSection={<IconPencil size={16} aria-hidden />}>
          {t('brands:open')}
        </Menu.Item>
        <Menu.Divider />
        <Menu.Item
          c="var(--mantine-color-error)"
          leftSection={<IconTrash size={16} aria-hidden />}
          onClick={() => void askToDelete(brand, () => undefined)}
        >
          {t('brands:delete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
