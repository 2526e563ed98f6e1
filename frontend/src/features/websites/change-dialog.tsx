import { Button, Group, Select, Switch, Textarea, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { FeedInSchema, WebsiteInSchema } from '@/api/schemas.gen'
import type { FeedIn, WebsiteOut } from '@/api/types.gen'
import { FormErrors } from '@/components/form-errors'
import { FormModal } from '@/components/form-modal'
import { useFormProblem } from '@/components/use-form-problem'
import { defaultLanguage, isLanguage, languages, type Language } from '@/i18n/languages'
import { withLaterEdits } from '@/lib/edits'
import { useChangeWebsite } from './api'

interface ChangeDialogProps {
  opened: boolean
  website: WebsiteOut
  onClose: () => void
}

/** The dialog that changes a website's name and language, and the texts of a hosted feed. */
export function ChangeDialog({ opened, website, onClose }: ChangeDialogProps) {
  const { t } = useTranslation(['common', 'websites'])
  return (
    <FormModal
      opened={opened}
      onClose={onClose}
      title={t('websites:changeTitle', { name: website.name })}
      closeButtonProps={{ 'aria-label': t('close') }}
    >
      {(close, onTyped) => <ChangeForm website={website} onTyped={onTyped} onClose={close} />}
    </FormModal>
  )
}

interface Values {
  name: string
  language: Language
  /** Set for a hosted feed. */
  feed?: FeedIn
}

const valuesOf = ({ name, language, feed }: WebsiteOut): Values => ({
  name,
  language: isLanguage(language) ? language : defaultLanguage,
  ...(feed && { feed: { description: feed.description, author: feed.author, indexed: feed.indexed } }),
})

function ChangeForm({ website, onTyped, onClose }: { website: WebsiteOut; onTyped: (typed: boolean) => void; onClose: () => void }) {
  const { t } = useTranslation(['common', 'websites'])
  const change = useChangeWebsite()
  /** The version that the form is based on. */
  const [base, setBase] = useState(website)
  const [isNewer, setNewer] = useState(false)
  const form = useForm<Values>({ initialValues: valuesOf(website), onValuesChange: () => onTyped(true) })
  const problem = useFormProblem(form)
  // saved elsewhere while the dialog is open: keep the typed changes on the newer version
  if (website.version > base.version) {
    form.setValues(withLaterEdits(valuesOf(website), valuesOf(base), form.getValues()))
    setBase(website)
    setNewer(true)
    problem.clear()
  }
  const submit = form.onSubmit((values) => {
    problem.clear()
    change.mutate(
      { path: { website_id: website.id }, body: { ...values, version: base.version } },
      { onSuccess: onClose, onError: problem.show },
    )
  })
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors message={problem.message} />
      {isNewer && (
        <p className="prose" role="status">
          {t('websites:changedElsewhere')}
        </p>
      )}
      <TextInput label={t('websites:name')} maxLength={WebsiteInSchema.properties.name.maxLength} data-autofocus {...form.getInputProps('name')} />
      <Select
        label={t('websites:language')}
        description={t('websites:languageHint')}
        data={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
        {...form.getInputProps('language')}
      />
      {website.feed && (
        <>
          <Textarea
            label={t('websites:feed.description')}
            description={t('websites:feed.descriptionHint')}
            maxLength={FeedInSchema.properties.description.maxLength}
            autosize
            minRows={2}
            {...form.getInputProps('feed.description')}
          />
          <TextInput
            label={t('websites:feed.author')}
            description={t('websites:feed.authorHint')}
            maxLength={FeedInSchema.properties.author.maxLength}
            {...form.getInputProps('feed.author')}
          />
          <Switch label={t('websites:feed.indexed')} {...form.getInputProps('feed.indexed', { type: 'checkbox' })} />
        </>
      )}
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('cancel')}
        </Button>
        <Button type="submit" loading={change.isPending}>
          {t('save')}
        </Button>
      </Group>
    </form>
  )
}
