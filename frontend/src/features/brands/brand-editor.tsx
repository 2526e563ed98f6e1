import { ActionIcon, Checkbox, Input, Select, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue, useHotkeys } from '@mantine/hooks'
import { IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMemo, type ComponentType, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { Address, CardFont, EmojiUse, HashtagUse, type BrandOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { CardColours } from '@/components/card-colours'
import { FormErrors } from '@/components/form-errors'
import { FormSection } from '@/components/form-section'
import { ListInput } from '@/components/list-input'
import { NewerBanner } from '@/components/newer-banner'
import { PageHeader } from '@/components/page'
import { SaveBar } from '@/components/save-bar'
import { languages } from '@/i18n/languages'
import { fontName } from '@/lib/card-words'
import { brandsPath } from '@/lib/brand-path'
import { errorAt } from '@/lib/problems'
import { cardOptionsQuery, cardPreviewQuery } from '@/lib/card-queries'
import { LONGEST_ENTRY, LONGEST_EXAMPLE, LONGEST_NAME, LONGEST_TEXT, MOST_ENTRIES, MOST_EXAMPLES } from './brand-limits'
import { NETWORK_MARK, type BrandValues } from './brand-values'
import { DraftPanel } from './draft-panel'
import { EntryRows } from './entry-rows'
import { ExampleRows } from './example-rows'
import { useBrandForm, type BrandForm } from './use-brand-form'
import { useDeleteBrandOnce } from './use-delete-brand'
import { UtmFields } from './utm-fields'
import './brands.css'

/** The field that chooses an image of the library. The route passes it in, because the library is another feature. */
export type LogoField = ComponentType<{
  value: string | null
  error?: ReactNode
  onChange: (imageId: string | null) => void
}>

interface BrandEditorProps {
  /** Undefined for a new brand. */
  brand?: BrandOut
  /** The brand was deleted on the server. */
  isGone?: boolean
  logoField: LogoField
  onCreated: (brandId: string) => void
}

/** All that a brand says about its texts and cards. */
export function BrandEditor({ brand, isGone = false, logoField, onCreated }: BrandEditorProps) {
  const { t } = useTranslation(['common', 'brands'])
  const navigate = useNavigate()
  const deletion = useDeleteBrandOnce()
  const edited = useBrandForm({ brand, isGone, onCreated })
  const { form, changes, submit, conflict } = edited
  // also while a field has the focus
  useHotkeys([['mod+S', () => changes > 0 && submit()]], [], true)
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('brands:title'), to: brandsPath }]}
        title={brand?.name ?? t('brands:newTitle')}
        sub={brand ? <span className="num">{t('brands:usedByLine', { count: brand.assistants })}</span> : t('brands:newLead')}
        actions={
          brand &&
          !isGone && (
            <ActionIcon
              size={36}
              variant="default"
              aria-label={t('brands:deleteThis', { name: brand.name })}
              loading={deletion.busy}
              onClick={() => void deletion.askToDelete(brand, () => void navigate(brandsPath))}
            >
              <IconTrash size={17} aria-hidden />
            </ActionIcon>
          )
        }
      />
      {!brand && <DraftPanel form={form} onDrafted={edited.take} />}
      <form className="brand-form" onSubmit={submit} noValidate>
        {conflict && (
          <NewerBanner title={t('brands:staleTitle')} loadLabel={t('brands:loadNewer')} onLoad={conflict.load} onKeep={conflict.keepMine} />
        )}
        {isGone && (
          <Banner tone="warn" title={t('brands:goneTitle')}>
            {t('brands:goneText')}
          </Banner>
        )}
        <FormErrors message={edited.message} fields={form.errors} />
        <AboutSection form={form} />
        <VoiceSection form={form} />
        <WordSection form={form} />
        <FormSection title={t('brands:examples')} hint={t('brands:examplesHint')}>
          <ExampleRows
            field="examples"
            values={form.values.examples}
            most={MOST_EXAMPLES}
            longest={LONGEST_EXAMPLE}
            errors={form.errors}
            onChange={(examples) => setField(form, 'examples', examples)}
          />
        </FormSection>
        <CardSection form={form} logoField={logoField} />
        <FormSection title={t('brands:utm.title')} hint={t('brands:utm.hint', { mark: NETWORK_MARK })}>
          <UtmFields value={form.values.utm} errors={form.errors} onChange={(utm) => setField(form, 'utm', utm)} />
        </FormSection>
        <SaveBar
          changes={changes}
          saving={edited.saving}
          onDiscard={edited.discard}
          saveLabel={t(isGone ? 'brands:saveAsNew' : 'brands:save')}
          isNew={!brand || isGone}
        />
      </form>
    </>
  )
}

/** Set a field, and clear the errors of the field and its entries. */
function setField<Field extends keyof BrandValues>(form: BrandForm, field: Field, value: BrandValues[Field]): void {
  form.setFieldValue(field, value as never)
  for (const path of Object.keys(form.errors)) if (path === field || path.startsWith(`${field}.`)) form.clearFieldError(path)
}

function AboutSection({ form }: { form: BrandForm }) {
  const { t } = useTranslation(['common', 'brands'])
  const optional = t('optional')
  return (
    <FormSection title={t('brands:about')} hint={t('brands:aboutHint')}>
      <TextInput
        label={t('brands:name')}
        maxLength={LONGEST_NAME}
        data-field="name"
        {...form.getInputProps('name')}
      />
      {(['about', 'audience'] as const).map((field) => (
        <Textarea
          key={field}
          label={`${t(`brands:fields.${field}`)} ${optional}`}
          description={t(`brands:hints.${field}`)}
          autosize
          minRows={2}
          maxLength={LONGEST_TEXT}
          data-field={field}
          {...form.getInputProps(field)}
        />
      ))}
      <Checkbox.Group
        label={t('brands:languages')}
        data-field="languages"
        value={form.values.languages}
        error={errorAt(form.errors as Record<string, string>, 'languages')}
        onChange={(chosen) => setField(form, 'languages', chosen)}
      >
        <div className="brand-languages">
          {languages.map((value) => (
            <Checkbox key={value} value={value} label={t(`languages.${value}`)} />
          ))}
        </div>
      </Checkbox.Group>
    </FormSection>
  )
}

function VoiceSection({ form }: { form: BrandForm }) {
  const { t } = useTranslation(['common', 'brands'])
  return (
    <FormSection title={t('brands:voice')} hint={t('brands:voiceHint')}>
      <Textarea
        label={`${t('brands:fields.voice')} ${t('optional')}`}
        description={t('brands:hints.voice')}
        autosize
        minRows={2}
        maxLength={LONGEST_TEXT}
        data-field="voice"
        {...form.getInputProps('voice')}
      />
      <div className="pair level">
        <Select
          label={t('brands:address')}
          data={Object.values(Address).map((value) => ({ value, label: t(`brands:addresses.${value}`) }))}
          data-field="address"
          {...form.getInputProps('address')}
        />
        <Select
          label={t('brands:emoji')}
          data={Object.values(EmojiUse).map((value) => ({ value, label: t(`brands:emojiUses.${value}`) }))}
          data-field="emoji"
          {...form.getInputProps('emoji')}
        />
        <Select
          label={t('brands:hashtags')}
          data={Object.values(HashtagUse).map((value) => ({ value, label: t(`brands:hashtagUses.${value}`) }))}
          data-field="hashtags"
          {...form.getInputProps('hashtags')}
        />
      </div>
      <Entries form={form} field="dos" />
      <Entries form={form} field="donts" />
    </FormSection>
  )
}

function WordSection({ form }: { form: BrandForm }) {
  const { t } = useTranslation(['common', 'brands'])
  return (
    <FormSection title={t('brands:words')} hint={t('brands:wordsHint')}>
      {(['words_to_use', 'words_to_avoid'] as const).map((field) => (
        <ListInput
          key={field}
          label={`${t(`brands:fields.${field}`)} ${t('optional')}`}
          description={t('brands:hints.words')}
          maxTags={MOST_ENTRIES}
          splitChars={[',', ';']}
          clearable={false}
          data-field={field}
          value={form.values[field]}
          error={errorAt(form.errors as Record<string, string>, field)}
          onChange={(chosen) => setField(form, field, chosen)}
        />
      ))}
      <Entries form={form} field="facts" />
    </FormSection>
  )
}

function Entries({ form, field }: { form: BrandForm; field: 'dos' | 'donts' | 'facts' }) {
  const { t } = useTranslation(['common', 'brands'])
  return (
    <EntryRows
      field={field}
      label={`${t(`brands:fields.${field}`)} ${t('optional')}`}
      hint={t(`brands:hints.${field}`)}
      addLabel={t(`brands:add.${field}`)}
      values={form.values[field]}
      most={MOST_ENTRIES}
      longest={LONGEST_ENTRY}
      errors={form.errors}
      onChange={(values) => setField(form, field, values)}
    />
  )
}

const PREVIEW_AFTER = 400 // ms without a change

/** Return a card in the look of the brand; undefined until it is drawn, and where the template decides all of it. */
function useSampleCard({ ground, ink, accent, font, logo_id }: BrandValues) {
  const { t } = useTranslation('brands')
  const look = useMemo(() => ({ ground, ink, accent, logo_id, ...(font && { font }) }), [ground, ink, accent, font, logo_id])
  const [settings] = useDebouncedValue(look, PREVIEW_AFTER)
  const isSet = Object.values(settings).some((value) => value !== null)
  const card = useQuery({ ...cardPreviewQuery({ headline: t('sampleWords'), settings }), enabled: isSet })
  return isSet ? card.data : undefined
}

const NO_FONT = 'none'

function CardSection({ form, logoField: Logo }: { form: BrandForm; logoField: LogoField }) {
  const { t } = useTranslation(['common', 'brands', 'cards'])
  const { data: options } = useQuery(cardOptionsQuery)
  const { ground, ink, accent, font, logo_id } = form.values
  const sample = useSampleCard(form.values)
  const colourError = form.errors.ground ?? form.errors.ink ?? form.errors.accent
  return (
    <FormSection title={t('brands:cards')} hint={t('brands:cardsHint')}>
      <div data-field="logo_id">
        <Logo value={logo_id} error={form.errors.logo_id} onChange={(id) => setField(form, 'logo_id', id)} />
      </div>
      <div className="pair">
        <div data-field="ground">
          <CardColours
            value={{ ground, ink, accent }}
            palettes={options?.palettes ?? []}
            notes={sample?.notes}
            none={t('brands:cardDecides')}
            onChange={(colours) => form.setValues(colours)}
          />
          {colourError && (
            <Input.Error mt={6} role="alert">
              {colourError}
            </Input.Error>
          )}
        </div>
        <Select
          label={t('cards:font')}
          data={[
            { value: NO_FONT, label: t('brands:cardDecides') },
            ...Object.values(CardFont).map((value) => ({ value, label: fontName(t, value) })),
          ]}
          data-field="font"
          value={font ?? NO_FONT}
          error={form.errors.font}
          onChange={(value) => setField(form, 'font', Object.values(CardFont).find((known) => known === value) ?? null)}
        />
      </div>
      {sample && (
        <img
          className="brand-sample"
          src={`data:${sample.mime};base64,${sample.image}`}
          width={sample.width}
          height={sample.height}
          alt={t('brands:sampleCard')}
        />
      )}
    </FormSection>
  )
}
