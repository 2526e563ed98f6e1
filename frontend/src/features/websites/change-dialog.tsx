import { Button, Group, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { useState } from 'react'
import type { WebsiteOut } from '@/api/types.gen'
import { Modal } from '@/components/dialog'
import { FormErrors } from '@/components/form-errors'
import { LaterSelect } from '@/components/later-select'
import { useFormProblem } from '@/components/use-form-problem'
import { isLanguage, languages, type Language } from '@/i18n/languages'
import { useTranslation } from '@/i18n/translation'
import { withLaterEdits } from '@/lib/edits'
import { useChangeWebsite } from './api'

const LONGEST = 120 // characters, as the server takes them

interface ChangeDialogProps {
  opened: boolean
  website: WebsiteOut
  onClose: () => void
}

/** How it is called here, and in which language its articles are. */
export function ChangeDialog({ opened, website, onClose }: ChangeDialogProps) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState(false)
  const close = () => {
    setTyped(false)
    onClose()
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={t('websites.changeTitle', { name: website.name })}
      closeOnEscape={!typed}
      closeOnClickOutside={!typed}
      closeButtonProps={{ 'aria-label': t('common.close') }}
    >
      <ChangeForm website={website} onTyped={setTyped} onClose={close} />
    </Modal>
  )
}

interface Values {
  name: string
  language: Language
}

const valuesOf = ({ name, language }: WebsiteOut): Values => ({ name, language: isLanguage(language) ? language : 'en' })

function ChangeForm({ website, onTyped, onClose }: { website: WebsiteOut; onTyped: (typed: boolean) => void; onClose: () => void }) {
  const { t } = useTranslation()
  const change = useChangeWebsite()
  /** What was typed is typed over this one. */
  const [over, setOver] = useState(website)
  const [isNewer, setNewer] = useState(false)
  const form = useForm<Values>({ initialValues: valuesOf(website), onValuesChange: () => onTyped(true) })
  const problem = useFormProblem(form)
  // saved elsewhere while this is open: what was typed goes on over it
  if (website.version > over.version) {
    form.setValues(withLaterEdits(valuesOf(website), valuesOf(over), form.getValues()))
    setOver(website)
    setNewer(true)
    problem.clear()
  }
  const submit = form.onSubmit((values) => {
    problem.clear()
    change.mutate(
      { path: { website_id: website.id }, body: { ...values, version: over.version } },
      { onSuccess: onClose, onError: problem.show },
    )
  })
  return (
    <form className="stack" onSubmit={submit} noValidate>
      <FormErrors message={problem.message} />
      {isNewer && (
        <p className="said" role="status">
          {t('websites.changedElsewhere')}
        </p>
      )}
      <TextInput label={t('websites.name')} maxLength={LONGEST} data-autofocus {...form.getInputProps('name')} />
      <LaterSelect
        label={t('websites.language')}
        description={t('websites.languageHint')}
        data={languages.map((value) => ({ value, label: t(`common.languages.${value}`) }))}
        allowDeselect={false}
        {...form.getInputProps('language')}
      />
      <Group justify="flex-end" mt="lg" gap="sm">
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={change.isPending}>
          {t('common.save')}
        </Button>
      </Group>
    </form>
  )
}
