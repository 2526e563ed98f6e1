import { isNotEmpty, useForm, type UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { BrandOut } from '@/api/types.gen'
import { showUndo } from '@/components/undo'
import { useDraftNotice } from '@/components/use-draft-notice'
import { focusField } from '@/components/use-save-errors'
import { useLanguage } from '@/i18n/locale'
import { brandDraftName } from '@/lib/brand-path'
import { keepDraft, useDraft } from '@/lib/drafts'
import { changedFields, withLaterEdits } from '@/lib/edits'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { fieldErrors, problemText, type Problem } from '@/lib/problems'
import { brandQuery, useCreateBrand, useUpdateBrand } from './api'
import { bodyOf, emptyBrand, valuesOf, withoutEmpty, type BrandValues } from './brand-values'

export type BrandForm = UseFormReturnType<BrandValues>

/** Values, and the version of the brand that they are based on. */
interface Versioned {
  values: BrandValues
  version: number
}

/** An unsaved draft. */
interface Draft {
  /** Without those that another page has not filled. */
  values: Partial<BrandValues>
  version: number
  /** The values of the version. Absent if another page has made the draft. */
  before?: BrandValues
}

interface Options {
  /** Undefined for a new brand. */
  brand: BrandOut | undefined
  /** The brand was deleted on the server: its values are saved as a new one. */
  isGone: boolean
  onCreated: (brandId: string) => void
}

/** The values of a brand in its editor: kept as a draft until they are saved, and never saved over an unseen version. */
export function useBrandForm({ brand, isGone, onCreated }: Options) {
  const { t } = useTranslation(['common', 'brands', 'errors'])
  const language = useLanguage()
  const queryClient = useQueryClient()
  const draft = useDraft<Draft>(brandDraftName(brand?.id))
  const [initialDraft] = useState(draft.read)
  const [base, setBase] = useState<Versioned>(() => ({
    values: initialDraft?.before ?? (brand ? valuesOf(brand) : emptyBrand(language)),
    version: initialDraft?.version ?? brand?.version ?? 0,
  }))
  const [message, setMessage] = useState<string>()
  const create = useCreateBrand()
  const update = useUpdateBrand()
  const createOnce = useMutateOnce(create)
  const updateOnce = useMutateOnce(update)
  const isNew = !brand || isGone
  const saving = create.isPending || update.isPending
  const form = useForm<BrandValues>({
    initialValues: { ...base.values, ...initialDraft?.values },
    validate: { name: isNotEmpty(t('validation.name')) },
  })
  const { values } = form
  const changes = changedFields(values, base.values).length
  const newer = brand && brand.version > base.version && !saving ? brand : undefined

  const baseOn = (next: BrandOut) => setBase({ values: valuesOf(next), version: next.version })
  // saved elsewhere without changes here: show the newer version
  if (newer && changes === 0) {
    baseOn(newer)
    form.setValues(valuesOf(newer))
  }
  useEffect(() => {
    if (changes > 0) draft.keep({ values, version: base.version, before: base.values })
    else draft.drop()
  }, [draft, changes, values, base])
  useDraftNotice(changes > 0, t('brands:kept', { name: values.name || t('brands:unnamed') }))

  const showErrors = (errors: Record<string, unknown>) => {
    const [first] = Object.keys(errors)
    // the errors are rendered by the next frame
    if (first) requestAnimationFrame(() => focusField(fieldOf(first)))
  }
  const onError = (problem: Problem) => {
    if (brand && !isGone && (problem.code === 'stale_version' || problem.status === 404)) {
      // the newer version is shown with the choice between both, or the notice that there is none
      void queryClient.invalidateQueries({ queryKey: brandQuery(brand.id).queryKey })
      return
    }
    const errors = fieldErrors(t, problem)
    form.setErrors(errors)
    showErrors(errors)
    setMessage(`${t('brands:saveFailed')} ${problem.errors.length === 0 ? problemText(t, problem) : ''}`.trim())
  }
  const submit = form.onSubmit((submitted) => {
    setMessage(undefined)
    const sent = withoutEmpty(submitted)
    form.setValues(sent)
    const onSuccess = (saved: BrandOut) => {
      notifications.show({ message: t('brands:saved', { name: saved.name }) })
      const before = valuesOf(saved)
      const later = withLaterEdits(before, sent, form.getValues())
      if (isNew) {
        draft.drop()
        setBase({ values: form.getValues(), version: base.version })
        // the page of the new brand goes on with what was typed since
        if (changedFields(later, before).length > 0)
          keepDraft<Draft>(queryClient, brandDraftName(saved.id), { values: later, version: saved.version, before })
        onCreated(saved.id)
        return
      }
      baseOn(saved)
      form.setValues(later)
      form.clearErrors()
    }
    const body = bodyOf(sent)
    if (isNew) createOnce({ body }, { onSuccess, onError })
    else updateOnce({ path: { brand_id: brand.id }, body: { ...body, version: base.version } }, { onSuccess, onError })
  }, showErrors)

  /** Show other values instead of the typed ones, with an undo. */
  const replaceTyped = (next: BrandValues, done: string) => {
    const before = form.getValues()
    setMessage(undefined)
    form.setValues(next)
    form.clearErrors()
    showUndo({ message: done, label: t('undo'), undo: () => form.setValues(before) })
  }
  return {
    form,
    changes,
    saving,
    message,
    submit,
    discard: () => replaceTyped(base.values, t('discarded')),
    /** Show what a model has drafted. */
    take: (drafted: BrandValues) => replaceTyped(drafted, t('brands:draft.taken')),
    /** The version saved elsewhere while there are changes here, and the ways to go on. */
    conflict:
      newer && changes > 0 && !isGone
        ? {
            load: () => {
              baseOn(newer)
              replaceTyped(valuesOf(newer), t('discarded'))
            },
            /** Keep the changes made here, over the newer version. */
            keepMine: () => {
              baseOn(newer)
              form.setValues(withLaterEdits(valuesOf(newer), base.values, values))
            },
          }
        : undefined,
  }
}

/** Return the field that shows an error: a list shows those of its entries. */
const fieldOf = (path: string) => path.split('.')[0] ?? path
