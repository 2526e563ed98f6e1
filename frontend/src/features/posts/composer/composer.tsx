import { Button } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Navigate, useNavigate } from 'react-router'
import type { AccountOut, FileOut, PostChangeOut, PostOut } from '@/api/types.gen'
import { channelName } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { FormErrors } from '@/components/form-errors'
import { PageHeader } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { StatusBadge } from '@/components/status'
import { focusField } from '@/components/use-self-saving'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { plannedAt } from '@/lib/time-zones'
import { keepFromSubmitting } from '@/lib/keep-from-submitting'
import { useStableValue } from '@/lib/use-stable-value'
import { accountsQuery, channelsQuery, imageQuery, postTagsQuery, useFit, usePublishPost } from '@/features/posts/api'
import { firstLine, stateOf } from '@/features/posts/post-state'
import { AccountField } from './account-field'
import { AltTexts } from './alt-texts'
import { FirstComment } from './first-comment'
import './composer.css'
import { LinkField } from './link-field'
import { ImageMakers } from './image-makers'
import { TextField } from './text-field'
import { useComposer } from './use-composer'
import { TIME_FIELD } from './composer-values'

const Notices = lazyPart(
  async () => (await import('./composer-notices')).Notices,
)
/** They show what the server answers, for accounts that it has to name first. */
export const Previews = lazyPart(
  async () => (await import('./composer-previews')).Previews,
)
/** Below the text and its images. */
export const Plan = lazyPart(
  async () => (await import('./composer-plan')).Plan,
  <div className="plan-space" />,
)

const MOST_IMAGES = 20
const NOBODY: AccountOut[] = []
const NO_FILES: readonly FileOut[] = []

export interface ImagesProps {
  label: string
  /** Images of the library in their order. */
  value: string[]
  most: number
  error: ReactNode
  /** As the post has them, which keeps what leaves the library. */
  kept: readonly FileOut[]
  onChange: (imageIds: string[]) => void
  /** One more, from outside of the list. */
  onAdd: (imageId: string) => void
}

interface ComposerProps {
  /** Nothing for a new one. */
  post?: PostOut
  /** The server has it no more. */
  gone?: boolean
  /** When a new one is to go out. */
  at?: Date
  onCreated: (postId: string) => void
  /** Where images are chosen, uploaded, dropped and ordered. */
  images: (props: ImagesProps) => ReactNode
}

/** Where a post is written, with what becomes of it beside. */
export function Composer({ post, gone = false, at, onCreated, images }: ComposerProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const format = useFormat()
  const navigate = useNavigate()
  const confirm = useConfirm()
  const accounts = useQuery(accountsQuery)
  const channels = useQuery(channelsQuery)
  const knownTags = useQuery(postTagsQuery)
  const composer = useComposer({ post, gone, at, onCreated })
  const publish = usePublishPost()
  const { form, known, now, changes, saving, isOver } = composer
  const { values } = form
  const fit = useFit(values, composer.known?.id ?? null)
  const shown = useMemo(() => (fit.hasBadLink ? { ...values, link: null } : values), [fit.hasBadLink, values])
  const connected = accounts.data ?? NOBODY
  const account_ids = useStableValue(values.account_ids)
  const files = useStableValue(values.files)
  const tags = useStableValue(values.tags)
  const chosen = useMemo(
    () => account_ids.flatMap((id) => connected.filter((account) => account.id === id)),
    [account_ids, connected],
  )
  const asked = now?.approval?.state === 'waiting' && composer.onItsWay
  const busy = saving || publish.isPending
  const noticed = composer.newer || composer.isGone || (isOver && changes > 0)

  // who has one account means that one
  const only = !post && connected.length === 1 ? connected[0]?.id : undefined
  const offer = useEffectEvent((id: string) => {
    if (form.getValues().account_ids.length === 0) form.setFieldValue('account_ids', [id])
  })
  useEffect(() => {
    if (only) offer(only)
  }, [only])

  const { getValues, setFieldValue, clearFieldError } = form
  const queryClient = useQueryClient()
  /** What the library says of an image goes with it; what somebody writes meanwhile stays. */
  const describe = useCallback(
    async (id: string) => {
      const image = await queryClient.ensureQueryData(imageQuery(id)).catch(() => undefined)
      if (!image?.alt) return
      setFieldValue('files', (had) => had.map((file) => (file.media_id === id && file.alt === '' ? { ...file, alt: image.alt } : file)))
    },
    [queryClient, setFieldValue],
  )
  /** In that order, each with the alt text that it has already. */
  const choose = useCallback(
    (chosenOf: (had: string[]) => string[]) => {
      const before = getValues().files.map(({ media_id }) => media_id)
      setFieldValue('files', (had) => {
        const ids = new Set(chosenOf(had.map(({ media_id }) => media_id)))
        return [...ids].slice(0, MOST_IMAGES).map((id) => had.find(({ media_id }) => media_id === id) ?? { media_id: id, alt: '' })
      })
      clearFieldError('files')
      for (const id of chosenOf(before)) if (!before.includes(id)) void describe(id)
    },
    [getValues, setFieldValue, clearFieldError, describe],
  )
  /** One that was made for the post: its alt text tells what it shows. */
  const addMade = (media_id: string, alt: string) => {
    const had = getValues().files
    if (had.length >= MOST_IMAGES || had.some((file) => file.media_id === media_id)) return
    setFieldValue('files', [...had, { media_id, alt }])
    clearFieldError('files')
  }
  const kept = known?.files ?? NO_FILES
  // no key in the text changes them
  const imageField = useMemo(
    () =>
      images({
        label: t('posts:composer.images'),
        value: files.map(({ media_id }) => media_id),
        most: MOST_IMAGES,
        error: form.errors.files,
        kept,
        onChange: (ids) => choose(() => ids),
        onAdd: (id) => choose((had) => [...had, id]),
      }),
    [images, t, files, form.errors.files, kept, choose],
  )
  const toPost = (id: string) => void navigate(pageOf(id))

  const out = useOneAtATime(async (when: Date | null, done: (changed: PostChangeOut) => string) => {
    const saved = await composer.settle()
    if (!saved) return
    await publish.mutateAsync(
      { path: { post_id: saved.id }, body: { version: saved.version, planned_at: when?.toISOString() ?? null } },
      {
        onSuccess: (changed) => {
          notifications.show({ message: changed.confirmed ? done(changed) : t('posts:actions.later') })
          toPost(saved.id)
        },
        onError: (problem) => composer.show(problem),
      },
    ).catch(() => undefined)
  })

  const send = useOneAtATime(async () => {
    if (chosen.length === 0) {
      form.setFieldError('account_ids', t('posts:composer.accountMissing'))
      focusField('account_ids')
      return
    }
    const namesOf = (accounts: typeof chosen) => format.list(accounts.map(({ name, kind }) => `${name} (${channelName(kind)})`))
    const away = chosen.filter(({ state }) => state !== 'connected')
    const there = chosen.filter(({ state }) => state === 'connected')
    const sure = await confirm({
      title: t('posts:actions.publishTitle.post'),
      text: [
        there.length > 0 && t('posts:composer.publishText', { names: namesOf(there) }),
        away.length > 0 && t('posts:actions.publishHeld', { names: namesOf(away), count: away.length }),
      ]
        .filter(Boolean)
        .join(' '),
      action: t('posts:actions.publish'),
    })
    if (sure) await out(null, () => t('posts:actions.published'))
  })

  /** When it is to go out; where nobody has said, its field asks. */
  function moment() {
    const when = plannedAt(values)
    if (!when) {
      form.setFieldError('planned_at', t('drafts.timeMissing'))
      document.getElementById(TIME_FIELD)?.focus()
    }
    return when
  }

  async function schedule() {
    const when = moment()
    if (!when) return
    await out(when, ({ post: changed }) =>
      t('posts:actions.scheduled', { when: format.atMoment(changed.planned_at ?? when.toISOString()) }),
    )
  }

  const save = useOneAtATime(async (approved: boolean) => {
    if (composer.onItsWay && !moment()) return
    const saved = await composer.settle(approved)
    if (!saved) return
    if (composer.onItsWay) toPost(saved.id)
    notifications.show({ message: t(approved ? 'drafts.approved' : 'drafts.saved') })
  })

  return (
    <form
      className="composer"
      noValidate
      onKeyDown={keepFromSubmitting}
      onSubmit={(event) => {
        event.preventDefault()
        void (composer.onItsWay ? save(false) : schedule())
      }}
    >
      <PageHeader
        crumbs={[
          { label: t('posts:title'), to: paths.posts },
          ...(post ? [{ label: titleOf(post) || t('posts:post'), to: pageOf(post.id) }] : []),
        ]}
        title={t(post ? 'posts:composer.edit' : 'posts:composer.new')}
        badge={<StatusBadge status={now ? stateOf(now) : 'draft'} at={now?.planned_at} />}
        sub={<span role="status">{state()}</span>}
        actions={
          isOver ? undefined : composer.onItsWay ? (
            <>
              <Button variant={asked ? 'default' : 'filled'} type="submit" loading={busy} disabled={changes === 0}>
                {t('save')}
              </Button>
              {asked && (
                <Button loading={busy} onClick={() => void save(true)}>
                  {t('drafts.approve')}
                </Button>
              )}
            </>
          ) : (
            <>
              <Button variant="subtle" disabled={saving || changes === 0} onClick={() => void save(false)}>
                {t('drafts.saveDraft')}
              </Button>
              <Button variant="default" disabled={publish.isPending} onClick={() => void send()}>
                {t('posts:actions.publish')}
              </Button>
              <Button type="submit" loading={publish.isPending}>
                {t('drafts.schedule')}
              </Button>
            </>
          )
        }
      />
      {/* what is out is read at its own page, unless something is typed here */}
      {isOver && changes === 0 && !busy && <Navigate to={pageOf(composer.id)} replace />}
      {noticed && <Notices composer={composer} accounts={connected} />}
      {/* what is to be done is said there */}
      <FormErrors message={noticed ? undefined : composer.message} fields={form.errors} />
      <div className="composer-cols">
        <div className="stack">
          <AccountField form={form} accounts={connected} pending={accounts.isPending} />
          <TextField
            form={form}
            accounts={chosen}
            channels={channels.data ?? []}
            fit={fit.data}
            stored={composer.stored}
          />
          <LinkField form={form} accounts={chosen} channels={channels.data ?? []} />
          {imageField}
          <ImageMakers values={getValues} stored={composer.stored} full={files.length >= MOST_IMAGES} onImage={addMade} />
          <AltTexts form={form} />
          <FirstComment form={form} accounts={chosen} channels={channels.data ?? []} />
          <Plan
            planned={values.planned}
            zone={values.zone}
            tags={tags}
            language={values.language}
            known={knownTags.data}
            timeError={form.errors.planned_at}
            zoneError={form.errors.time_zone}
            tagError={form.errors.tags}
            languageError={form.errors.language}
            set={setFieldValue}
            clear={clearFieldError}
          />
        </div>
        {/* it scrolls, so that the keyboard has to reach it */}
        <section className="panel composer-stage" aria-label={t('posts:composer.preview')} tabIndex={0}>
          <Previews values={shown} kept={kept} accounts={chosen} channels={channels.data} fit={fit.data} />
          {fit.isError && (
            <p className="fine-print" role="alert">
              {t('posts:composer.fitFailed')} {problemText(t, fit.error)}
            </p>
          )}
        </section>
      </div>
      {!isOver && (
        <div className="composer-foot">
          {!composer.onItsWay && (
            <Button variant="default" disabled={publish.isPending} onClick={() => void send()}>
              {t('posts:actions.publish')}
            </Button>
          )}
          <Button type="submit" loading={composer.onItsWay ? busy : publish.isPending}>
            {t(composer.onItsWay ? 'save' : 'drafts.schedule')}
          </Button>
        </div>
      )}
    </form>
  )

  /** What became of what was typed. */
  function state() {
    if (composer.isGone) return t('drafts.notSaved')
    if (saving) return t('drafts.saving')
    const planned = composer.onItsWay && now?.planned_at
    // what is asked about goes out only if somebody says so, unless nobody has to
    const until = asked && now.approval?.at_deadline !== 'publish' ? now.approval?.deadline_at : undefined
    if (planned && !until) return t('posts:goesOut', { when: format.dayAndTime(planned) })
    if (composer.triesAgain) return t('drafts.triesAgain')
    const [wrong] = Object.values(form.errors)
    if (changes > 0 && typeof wrong === 'string' && !composer.message) return t('drafts.notSavedWhy', { why: wrong })
    if (changes > 0) return t('drafts.notSaved')
    if (until) return t('posts:composer.asked', { when: format.dayAndTime(until) })
    if (!composer.savesItself) return ''
    // whoever loads the page anew finds it from then on
    if (composer.savedAt && !post) return t('drafts.saving')
    if (composer.savedAt) return t('drafts.draftSaved', { time: format.time(composer.savedAt) })
    return t(known ? 'drafts.draftKept' : 'drafts.savesItself')
  }
}

const pageOf = (id: string) => generatePath(paths.post, { socialMediaPostId: id })
const titleOf = (post: PostOut) => post.topic_title || firstLine(post.content)
