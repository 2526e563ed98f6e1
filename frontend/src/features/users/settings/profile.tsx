import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useDisclosure, useId } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ProfileInSchema } from '@/api/schemas.gen'
import type { UserOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { Failure } from '@/components/failure'
import { FormErrors } from '@/components/form-errors'
import { FormSection } from '@/components/form-section'
import { lazyPart } from '@/components/lazy-part'
import { SaveBar } from '@/components/save-bar'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge } from '@/components/status'
import { TimeZoneSelect } from '@/components/time-zone-select'
import { useDraftNotice } from '@/components/use-draft-notice'
import { isLanguage, languageFacts, languages } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { useDraft } from '@/lib/drafts'
import { useMutateOnce } from '@/lib/one-at-a-time'
import { paths } from '@/lib/paths'
import { fieldErrors, problemText, type Problem } from '@/lib/problems'
import { meQuery, useTryEmailAgain, useUpdateProfile } from './api'

const ChangeEmailDialog = lazyPart(async () => (await import('./change-email-dialog')).ChangeEmailDialog)

type Values = Pick<UserOut, 'display_name' | 'language' | 'time_zone'>

const FIELDS = ['display_name', 'language', 'time_zone'] as const

type Field = (typeof FIELDS)[number]

/** Return the input of a field; a select gives its name to a hidden one. */
const fieldOf = (form: HTMLElement | null, name: string) =>
  form?.querySelector<HTMLElement>(`[name="${name}"], [data-field="${name}"]`)

export function Profile() {
  const { t } = useTranslation(['common', 'settings'])
  const me = useQuery(meQuery)
  if (me.data) return <ProfileForm user={me.data} />
  if (me.isError)
    return <Failure title={t('settings:loadFailed')} problem={me.error} onRetry={() => void me.refetch()} />
  return <RowSkeletons rows={3} />
}

function ProfileForm({ user }: { user: UserOut }) {
  const { t } = useTranslation(['common', 'settings', 'errors'])
  const languageLabel = useId()
  const [dialog, { open, close }] = useDisclosure()
  const form = useRef<HTMLFormElement>(null)
  const { values, changes, problem, isSaving, change, save, discard } = useProfile(user)
  const errors = problem ? fieldErrors(t, problem) : {}
  const submit = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault()
    save((failure) => {
      const field = failure.errors[0]?.field
      if (field) fieldOf(form.current, CSS.escape(field))?.focus()
    })
  }
  return (
    <>
      <form ref={form} onSubmit={submit} noValidate>
        <FormErrors message={problem?.errors.length === 0 ? problemText(t, problem) : undefined} />
        <FormSection title={t('settings:you')} hint={t('settings:youHint')}>
          <TextInput
            name="display_name"
            label={`${t('settings:displayName')} ${t('optional')}`}
            autoComplete="name"
            maxLength={ProfileInSchema.properties.display_name.anyOf[0].maxLength}
            value={values.display_name}
            error={errors.display_name}
            onChange={(event) => change({ display_name: event.currentTarget.value })}
          />
        </FormSection>
        <EmailSection user={user} onChange={open} />
        <FormSection title={t('settings:region')} hint={t('settings:regionHint')}>
          <div>
            <div className="field-label" id={languageLabel}>
              {t('language')}
            </div>
            <SegmentedControl
              name="language"
              aria-labelledby={languageLabel}
              data={languages.map((value) => ({ value, label: languageFacts(value).name }))}
              value={values.language}
              onChange={(value) => isLanguage(value) && change({ language: value })}
            />
          </div>
          <TimeZoneSelect
            data-field="time_zone"
            label={t('settings:timeZone')}
            value={values.time_zone}
            error={errors.time_zone}
            onChange={(value) => value && change({ time_zone: value })}
          />
        </FormSection>
        <SaveBar changes={changes} saving={isSaving} onDiscard={discard} />
      </form>
      <ChangeEmailDialog email={user.email} opened={dialog} onClose={close} />
    </>
  )
}

/** Return the profile with unsaved edits, which are kept as a draft, and what saves or discards them. */
function useProfile(user: UserOut) {
  const { t, i18n } = useTranslation(['common', 'settings'])
  const draft = useDraft<Partial<Values>>('profile')
  const [edits, setEdits] = useState<Partial<Values>>(() => draft.read() ?? {})
  const update = useUpdateProfile()
  const saveOnce = useMutateOnce(update)
  // only changed fields are sent, so that changes made elsewhere stay
  const changed = FIELDS.filter((field) => edits[field] !== undefined && edits[field] !== user[field])
  useDraftNotice(changed.length > 0, t('settings:profileKept'))
  useEffect(() => {
    if (changed.length > 0) draft.keep(edits)
    else draft.drop()
  }, [draft, changed.length, edits])

  return {
    values: { ...user, ...edits },
    changes: changed.length,
    problem: update.error,
    isSaving: update.isPending,
    change: (edit: Partial<Values>) => {
      // not while a save is in progress, whose outcome is still to be shown
      if (update.isError) update.reset()
      setEdits((before) => ({ ...before, ...edit }))
    },
    save: (onError: (problem: Problem) => void) => {
      if (changed.length === 0) return
      saveOnce(
        { body: Object.fromEntries(changed.map((field) => [field, edits[field]])) },
        {
          onSuccess: (saved) => {
            // edits made during the save stay
            setEdits((before) => Object.fromEntries(Object.entries(before).filter(([field, value]) => value !== edits[field as Field])))
            // the frame switches to the account's language; until its texts are loaded, the current one is used
            notifications.show({ message: t('saved', i18n.hasResourceBundle(saved.language, 'common') ? { lng: saved.language } : {}) })
          },
          onError,
        },
      )
    },
    discard: () => {
      update.reset()
      setEdits({})
    },
  }
}

/** The email address and whether mails reach it. The dialog to change it is outside of the form around this section. */
function EmailSection({ user, onChange }: { user: UserOut; onChange: () => void }) {
  const { t } = useTranslation(['common', 'settings'])
  return (
    <FormSection title={t('settings:email')} hint={t('settings:emailHint')}>
      <div className="setting">
        <span className="setting-value">{user.email}</span>
        {user.email_refused_at ? (
          <StatusBadge status="failed" label={t('settings:emailRefused')} />
        ) : (
          <StatusBadge
            status={user.is_email_verified ? 'published' : 'waiting'}
            label={t(user.is_email_verified ? 'settings:verified' : 'settings:notVerified')}
          />
        )}
        <span className="setting-actions">
          {!user.is_email_verified && (
            <Button component={Link} to={paths.emailVerification} variant="default" size="xs">
              {t('settings:toVerification')}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={onChange}>
            {t('settings:changeEmail')}
          </Button>
        </span>
      </div>
      {user.email_refused_at && <EmailRefused email={user.email} since={user.email_refused_at} />}
    </FormSection>
  )
}

/** The notice that the mail server refuses mails to the address, with a retry. */
function EmailRefused({ email, since }: { email: string; since: string }) {
  const { t } = useTranslation(['common', 'settings', 'errors'])
  const format = useFormat()
  const tryAgain = useTryEmailAgain()
  return (
    <Banner
      tone="warn"
      title={t('settings:emailRefusedTitle')}
      action={
        <Button
          size="xs"
          variant="default"
          loading={tryAgain.isPending}
          onClick={() =>
            tryAgain.mutate({}, { onSuccess: () => notifications.show({ message: t('settings:emailAgainDone', { email }) }) })
          }
        >
          {t('settings:emailAgain')}
        </Button>
      }
    >
      {t('settings:emailRefusedText', { when: format.day(since) })}
      {tryAgain.error && ` ${problemText(t, tryAgain.error)}`}
    </Banner>
  )
}
