import { Button, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconInfoCircle, IconPlayerStop, IconSparkles } from '@tabler/icons-react'
import { useEffect, useId, useRef, useState } from 'react'
import { Trans, useTranslation } from 'react-i18next'
import { Panel } from '@/components/panel'
import { ProblemText } from '@/components/problem-text'
import { useDemoWriter } from '@/components/use-demo-writer'
import { isLanguage, languages, type Language } from '@/i18n/languages'
import { useLanguage } from '@/i18n/locale'
import { fieldErrors } from '@/lib/problems'
import { useFocusInvalid } from '@/lib/use-focus-invalid'
import { useDraftBrand } from './api'
import { LONGEST_EXAMPLE, MOST_EXAMPLES } from './brand-limits'
import { withDraft, type BrandValues, type Example } from './brand-values'
import { ExampleRows } from './example-rows'
import type { BrandForm } from './use-brand-form'

const SOURCES = ['website', 'posts'] as const

interface DraftPanelProps {
  form: BrandForm
  onDrafted: (values: BrandValues) => void
}

/** Lets a model draft the brand from a website or from posts. The form shows the draft, which is saved like typed values. */
export function DraftPanel({ form, onDrafted }: DraftPanelProps) {
  const { t } = useTranslation(['common', 'brands'])
  const isDemo = useDemoWriter()
  if (isDemo === undefined) return null
  return (
    <Panel title={t('brands:draft.title')} className="brand-draft">
      {isDemo ? (
        <p className="brand-by-hand" role="note">
          <IconInfoCircle size={17} aria-hidden />
          <span>
            <Trans t={t} i18nKey="brands:draft.byHand" components={{ code: <code className="mono" /> }} />
          </span>
        </p>
      ) : (
        <DraftFields form={form} onDrafted={onDrafted} />
      )}
    </Panel>
  )
}

function DraftFields({ form, onDrafted }: DraftPanelProps) {
  const { t } = useTranslation(['common', 'brands', 'errors'])
  const sourceLabel = useId()
  const fields = useRef<HTMLFormElement>(null)
  const own = useLanguage()
  const [source, setSource] = useState<(typeof SOURCES)[number]>('website')
  const [address, setAddress] = useState('')
  const [posts, setPosts] = useState<Example[]>([])
  const [language, setLanguage] = useState<Language>(own)
  const drafting = useDrafting()
  const { problem } = drafting
  const errors = problem ? fieldErrors(t, problem) : {}
  const filled = posts.filter(({ text }) => text.trim() !== '')
  const isReady = source === 'website' ? address.trim() !== '' : filled.length > 0
  // the error of a field that is not shown, such as the address while posts are, is shown below
  const isShown = Object.keys(errors).some((path) => (source === 'website' ? path === 'address' : path.startsWith('posts')))
  useFocusInvalid(fields, problem)

  const start = () => {
    if (!isReady || drafting.busy) return
    setPosts(filled)
    drafting.start(
      source === 'website' ? { address: address.trim(), language } : { posts: filled.map(({ text }) => text), language },
      (draft) => onDrafted(withDraft(form.getValues(), draft, source === 'posts' ? filled : [])),
    )
  }
  return (
    <form
      className="stack"
      ref={fields}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        start()
      }}
    >
      <p className="prose">{t('brands:draft.lead')}</p>
      <div>
        <div className="field-label" id={sourceLabel}>
          {t('brands:draft.from')}
        </div>
        <SegmentedControl
          aria-labelledby={sourceLabel}
          data={SOURCES.map((value) => ({ value, label: t(`brands:draft.sources.${value}`) }))}
          value={source}
          disabled={drafting.busy}
          onChange={(value) => {
            drafting.reset()
            setSource(value)
          }}
        />
      </div>
      {source === 'website' ? (
        <TextInput
          type="url"
          inputMode="url"
          autoComplete="url"
          label={t('brands:draft.address')}
          description={t('brands:draft.addressHint')}
          placeholder="https://example.org"
          value={address}
          error={errors.address}
          disabled={drafting.busy}
          onChange={(event) => setAddress(event.currentTarget.value)}
        />
      ) : (
        <ExampleRows field="posts" values={posts} most={MOST_EXAMPLES} longest={LONGEST_EXAMPLE} errors={errors} onChange={setPosts} />
      )}
      <Select
        className="draft-language"
        label={t('brands:draft.language')}
        data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
        value={language}
        disabled={drafting.busy}
        onChange={(value) => value && isLanguage(value) && setLanguage(value)}
      />
      {problem && !isShown && (
        <div className="form-errors" role="alert">
          {t('brands:draft.failed')} <ProblemText problem={problem} />
        </div>
      )}
      <div className="entry-actions">
        {drafting.busy ? (
          <Button variant="default" leftSection={<IconPlayerStop size={15} aria-hidden />} onClick={drafting.stop}>
            {t('brands:draft.stop')}
          </Button>
        ) : (
          <Button variant="light" leftSection={<IconSparkles size={15} aria-hidden />} disabled={!isReady} type="submit">
            {t('brands:draft.start')}
          </Button>
        )}
        <span className="field-note" role="status">
          {drafting.busy ? t(`brands:draft.atWork.${source}`) : t('brands:draft.cost')}
        </span>
      </div>
    </form>
  )
}

/** Return the state of a draft that a model makes, and what starts and stops it. */
function useDrafting() {
  const draft = useDraftBrand()
  const controller = useRef<AbortController>(undefined)
  // on another page, nobody waits for the draft
  useEffect(() => () => controller.current?.abort(), [])
  return {
    busy: draft.isPending,
    problem: draft.error,
    reset: draft.reset,
    start: (body: Parameters<typeof draft.mutate>[0]['body'], onDrafted: (drafted: NonNullable<typeof draft.data>) => void) => {
      controller.current = new AbortController()
      draft.mutate({ body, signal: controller.current.signal }, { onSuccess: onDrafted })
    },
    stop: () => {
      controller.current?.abort()
      // without the error of the stopped call
      draft.reset()
    },
  }
}
