import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BrandOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { showUndo } from '@/components/undo'
import { useFormat } from '@/i18n/use-format'
import { freshQueryOptions } from '@/lib/fresh-query-options'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText, toProblem } from '@/lib/problems'
import { brandUsesQuery, useCreateBrand, useDeleteBrand } from './api'
import { bodyOf, valuesOf } from './brand-values'

/**
 * Return what deletes a brand. One in use is deleted after a question that names who uses it, since its users do not get
 * it back; any other at once, with an undo.
 */
export function useDeleteBrandOnce() {
  const { t } = useTranslation(['common', 'brands', 'errors'])
  const format = useFormat()
  const queryClient = useQueryClient()
  const confirm = useConfirm()
  const remove = useDeleteBrand()
  const create = useCreateBrand()
  const [busy, setBusy] = useState(false)

  const showFailure = (failed: string, error: unknown) =>
    void notifications.show({ color: 'red', message: `${failed} ${problemText(t, toProblem(error))}` })

  const restore = (brand: BrandOut) =>
    create.mutateAsync({ body: bodyOf(valuesOf(brand)) }).catch((error: unknown) => showFailure(t('brands:restoreFailed'), error))

  const askToDelete = useOneAtATime(async (brand: BrandOut, onDeleted: () => void) => {
    const { name } = brand
    setBusy(true)
    try {
      const users = await queryClient.fetchQuery({ ...brandUsesQuery(brand.id), ...freshQueryOptions })
      const sure =
        users.length === 0 ||
        (await confirm({
          title: t('brands:deleteTitle', { name }),
          text: t('brands:deleteText', { users: format.list(users.map((user) => user.name)) }),
          action: t('brands:delete'),
          danger: true,
        }))
      if (!sure) return
      await remove.mutateAsync({ path: { brand_id: brand.id } })
      const message = t('brands:deleted', { name })
      if (users.length > 0) notifications.show({ message })
      else showUndo({ message, label: t('undo'), undo: () => void restore(brand) })
      onDeleted()
    } catch (error) {
      showFailure(t('brands:deleteFailed'), error)
    } finally {
      setBusy(false)
    }
  })
  return { busy, askToDelete }
}
