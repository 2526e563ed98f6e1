import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Navigate, useNavigate } from 'react-router'
import type { AccountOut, FileOut, PostOut } from '@/api/types.gen'
import { FormErrors } from '@/components/form-errors'
import { lazyPart } from '@/components/lazy-part'
import { PageHeader } from '@/components/page'
import { PostBadge } from '@/components/post-badge'
import { StatusBadge } from '@/components/status'
import { accountsQuery, channelsQuery, postTagsQuery, useFit } from '@/features/posts/api'
import { firstLine } from '@/features/posts/post-state'
import { keepFromSubmitting } from '@/lib/keep-from-submitting'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { useStableValue } from '@/lib/use-stable-value'
import { AccountField } from './account-field'
import { AltTexts } from './alt-texts'
import type { CoverProps } from './file-fields'
import { ComposerFoot, ComposerHeadActions } from './composer-actions'
import './composer.css'
import { FirstComment } from './first-comment'
import { ImageMakers } from './image-makers'
import { LinkField } from './link-field'
import { TextField } from './text-field'
import { useComposer, type ComposerForm } from './use-composer'
import { useComposerCommands } from './use-composer-commands'
import { useFiles } from './use-files'
import { usePostImages, type ImagesProps, type MadeImage } from './use-post-images'
import { useSavingText } from './use-saving-text'

const Notices = lazyPart(async () => (await import('./composer-notices')).Notices)
export const Previews = lazyPart(async () => (await import('./composer-previews')).Previews)
export const Plan = lazyPart(async () => (await import('./composer-plan')).Plan, <div className="plan-space" />)

const NO_ACCOUNTS: AccountOut[] = []
const NO_FILES: readonly FileOut[] = []

interface ComposerProps {
  /** Absent for a new post. */
  post?: PostOut
  /** The post is deleted on the server. */
  isDeleted?: boolean
  /** The time at which a new post is to go out. */
  at?: Date
  onCreated: (postId: string) => void
  /** The pages of a carousel, to be put in place of those that the post has. */
  pages?: readonly MadeImage[] | undefined
  /** Called when the pages are in the form. */
  onPagesPut?: () => void
  /** Draws the field where files are chosen, uploaded, dropped and ordered. */
  images: (props: ImagesProps) => ReactNode
  /** Draws the field where the cover of a video is chosen. */
  cover: (props: CoverProps) => ReactNode
}

/** The page where a post is written, with its previews beside. */
export function Composer({ post, isDeleted = false, at, onCreated, pages, onPagesPut, images, cover }: ComposerProps) {
  const { t } = useTranslation(['common', 'errors', 'posts'])
  const navigate = useNavigate()
  const accounts = useQuery(accountsQuery)
  const channels = useQuery(channelsQuery)
  const knownTags = useQuery(postTagsQuery)
  const edited = useComposer({ post, isDeleted, at, onCreated })
  const { form, latest, changes, isOver } = edited
  const { values } = form
  const connected = accounts.data ?? NO_ACCOUNTS
  const chosen = useChosenAccounts(values.account_ids, connected)
  const commands = useComposerCommands(edited, chosen, (id) => void navigate(pageOf(id)))
  const savingText = useSavingText(edited, !post)
  const savedFiles = edited.saved?.files ?? NO_FILES
  const files = useStableValue(useFiles(values.files, savedFiles))
  const { imageField, addMade, putPages, isFull } = usePostImages(form, savedFiles, images)
  const fit = useFit(values, edited.saved?.id ?? null)
  const shown = useMemo(() => (fit.hasBadLink ? { ...values, link: null } : values), [fit.hasBadLink, values])
  const tags = useStableValue(values.tags)
  const noticed = edited.conflict || edited.isGone || (isOver && changes > 0)
  useNewPages(files.length === values.files.length && !isOver ? pages : undefined, (made) => {
    putPages(made, files)
    onPagesPut?.()
  })
  useOnlyAccount(form, !post && connected.length === 1 ? connected[0]?.id : undefined)

  return (
    <form
      className="composer"
      noValidate
      onKeyDown={keepFromSubmitting}
      onSubmit={(event) => {
        event.preventDefault()
        void (edited.onItsWay ? commands.save(false) : commands.schedule())
      }}
    >
      <PageHeader
        crumbs={[
          { label: t('posts:title'), to: paths.posts },
          ...(post ? [{ label: titleOf(post) || t('posts:post'), to: pageOf(post.id) }] : []),
        ]}
        title={t(post ? 'posts:composer.edit' : 'posts:composer.new')}
        badge={latest ? <PostBadge post={latest} at={latest.planned_at} /> : <StatusBadge status="draft" />}
        sub={<span role="status">{savingText}</span>}
        actions={isOver ? undefined : <ComposerHeadActions edited={edited} commands={commands} />}
      />
      {/* a published post is read at its own page, unless something is typed here */}
      {isOver && changes === 0 && !edited.saving && !commands.isPublishing && <Navigate to={pageOf(edited.id)} replace />}
      {noticed && <Notices edited={edited} accounts={connected} />}
      {/* the notice says what to do, so the message stays away */}
      <FormErrors message={noticed ? undefined : edited.message} fields={form.errors} />
      <div className="composer-cols">
        <div className="stack">
          <AccountField form={form} accounts={connected} pending={accounts.isPending} />
          <TextField
            form={form}
            accounts={chosen}
            channels={channels.data ?? []}
            files={files}
            fit={fit.data}
            stored={edited.stored}
          />
          <LinkField form={form} accounts={chosen} channels={channels.data ?? []} files={files} />
          {imageField}
          <ImageMakers values={form.getValues} stored={edited.stored} full={isFull} onMade={addMade} />
          <AltTexts form={form} files={files} postId={isOver ? undefined : edited.saved?.id} accounts={chosen} channels={channels.data ?? []} fit={fit.data} cover={cover} />
          <FirstComment form={form} accounts={chosen} channels={channels.data ?? []} />
          <Plan
            planned={values.planned}
            zone={values.zone}
            tags={tags}
            language={values.language}
            knownTags={knownTags.data}
            timeError={form.errors.planned_at}
            zoneError={form.errors.time_zone}
            tagError={form.errors.tags}
            languageError={form.errors.language}
            set={form.setFieldValue}
            clear={form.clearFieldError}
          />
        </div>
        {/* the previews scroll, so the keyboard has to reach them */}
        <section className="panel composer-stage" aria-label={t('posts:composer.preview')} tabIndex={0}>
          <Previews values={shown} files={files} accounts={chosen} channels={channels.data} fit={fit.data} />
          {fit.isError && (
            <p className="fine-print" role="alert">
              {t('posts:composer.fitFailed')} {problemText(t, fit.error)}
            </p>
          )}
        </section>
      </div>
      {!isOver && <ComposerFoot edited={edited} commands={commands} />}
    </form>
  )
}

/** Return the chosen accounts in their order, as the same array while nothing changes. */
function useChosenAccounts(chosenIds: string[], connected: AccountOut[]): AccountOut[] {
  const ids = useStableValue(chosenIds)
  return useMemo(() => ids.flatMap((id) => connected.filter((account) => account.id === id)), [ids, connected])
}

/** Put the pages of a carousel into the post, once they are there and the post's files are known. */
function useNewPages(pages: readonly MadeImage[] | undefined, put: (pages: readonly MadeImage[]) => void): void {
  const putNow = useEffectEvent(put)
  useEffect(() => {
    if (pages) putNow(pages)
  }, [pages])
}

/** Choose the only account of a person who has one, unless an account is chosen. */
function useOnlyAccount(form: ComposerForm, only: string | undefined): void {
  const choose = useEffectEvent((id: string) => {
    if (form.getValues().account_ids.length === 0) form.setFieldValue('account_ids', [id])
  })
  useEffect(() => {
    if (only) choose(only)
  }, [only])
}

const pageOf = (id: string) => generatePath(paths.post, { socialMediaPostId: id })
const titleOf = (post: PostOut) => post.topic_title || firstLine(post.content)
