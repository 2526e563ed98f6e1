import { ActionIcon, Button, Menu, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { ArticleOut, PostChangeOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { useConfirm } from '@/components/confirm'
import { FormErrors } from '@/components/form-errors'
import { PageHeader, type Crumb } from '@/components/page'
import { lazyPart } from '@/components/lazy-part'
import { RowSkeletons } from '@/components/skeletons'
import { StatusBadge } from '@/components/status'
import { showUndo } from '@/components/undo'
import { focusField } from '@/components/use-self-saving'
import type { Language } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { websitePath } from '@/lib/article-paths'
import { keepFromSubmitting } from '@/lib/keep-from-submitting'
import { useOneAtATime } from '@/lib/one-at-a-time'
import { problemText } from '@/lib/problems'
import { plannedAt } from '@/lib/time-zones'
import { useStableValue } from '@/lib/use-stable-value'
import { useDeleteArticle, usePreview, usePublishArticle, useUpdateArticle, websitesQuery } from '@/features/articles/api'
import { ArticleBadge } from '@/features/articles/article-badge'
import { takenDown } from '@/features/articles/article-state'
import { ArticleText, type GalleryParts } from './article-text'
import { valuesOf } from './article-values'
import '@/features/articles/articles.css'
import type { TextHandle } from './text-handle'
import { useArticle } from './use-article'
import { useFeatured } from './use-featured'
import { useHeadHeight } from './use-head-height'
import { usePlaces } from '@/features/articles/writing/writing-places'

const ArticleFields = lazyPart(async () => (await import('./article-fields')).ArticleFields, <RowSkeletons />)
const BothVersions = lazyPart(async () => (await import('./both-versions')).BothVersions)
const ArticleWriter = lazyPart(async () => (await import('@/features/articles/writing/article-writer')).ArticleWriter)
const LONGEST_TITLE = 200 // characters, as the server takes them

interface ArticleEditorProps {
  /** Nothing for a new one. */
  article?: ArticleOut
  /** The server has it no more. */
  gone?: boolean
  /** Of a new one: the site that it is for, and the language of that. */
  websiteId?: string
  siteLanguage?: Language
  /** The pages above it. */
  crumbs: Crumb[]
  gallery: GalleryParts
  onCreated: (articleId: string) => void
  /** It goes out, or what was changed is saved: there is nothing to write any more. */
  onDone: (articleId: string) => void
  /** It is deleted. */
  onDeleted: () => void
}

/** Where an article is written, with what it looks like and what is told of it. */
export function ArticleEditor({ article, gone = false, websiteId = '', siteLanguage, crumbs, gallery, onCreated, onDone, onDeleted }: ArticleEditorProps) {
  const { t } = useTranslation(['common', 'articles', 'errors'])
  const format = useFormat()
  const confirm = useConfirm()
  const websites = useQuery(websitesQuery)
  const writing = useArticle({ article, gone, websiteId, siteLanguage, onCreated })
  const publish = usePublishArticle()
  const update = useUpdateArticle()
  const remove = useDeleteArticle()
  const { form, known, changes, saving, newer, onItsWay } = writing
  const { values, errors } = form
  const { content, ...rest } = values
  const fields = useStableValue(rest)
  const shownErrors = useStableValue(errors)
  const preview = usePreview(content, values.title)
  const isOut = Boolean(known?.at_site)
  const down = known && takenDown(known)
  const asked = known?.approval?.state === 'waiting' && onItsWay
  const busy = saving || publish.isPending
  const text = useRef<TextHandle>(null)
  const [places, toolsPlace, panelPlace, fieldPlaces] = usePlaces()
  const [isWritten, setWritten] = useState(false)
  const headed = useHeadHeight()
  const featured = useFeatured(values.featured, known?.featured)
  const website = websites.data?.find(({ id }) => id === values.website_id)

  // until somebody writes another one, the address says what the title says
  const followed = useRef<string>(undefined)
  const follow = useEffectEvent((suggested: string) => {
    // others have linked to where it is, and what was shown to whoever decides goes out as it was shown
    if (isOut || onItsWay) return
    const { slug } = form.getValues()
    const follows = slug === '' || slug === followed.current
    followed.current = suggested
    if (!follows || slug === suggested) return
    form.setFieldValue('slug', suggested)
    form.clearFieldError('slug')
  })
  const suggested = preview.data?.slug
  useEffect(() => {
    if (suggested !== undefined) follow(suggested)
  }, [suggested])

  const out = useOneAtATime(async (when: Date | null, done: (changed: PostChangeOut) => string) => {
    const saved = await writing.settle()
    if (!saved) return
    await publish
      .mutateAsync(
        { path: { post_id: saved.id }, body: { version: saved.version, planned_at: when?.toISOString() ?? null } },
        {
          onSuccess: (changed) => {
            notifications.show({ message: changed.confirmed ? done(changed) : t('articles:editor.later') })
            onDone(saved.id)
          },
          onError: (problem) => writing.show(problem),
        },
      )
      .catch(() => undefined)
  })

  const send = useOneAtATime(async () => {
    if (!values.website_id) {
      form.setFieldError('website_id', t('articles:editor.noWebsite'))
      focusField('website_id')
      return
    }
    const name = website?.name ?? known?.website_name ?? t('articles:website')
    const isAway = website !== undefined && website.state !== 'connected'
    const sure = await confirm({
      title: t('articles:editor.publishTitle'),
      text: t(isAway ? 'articles:editor.publishHeld' : 'articles:editor.publishText', { name }),
      action: t('articles:editor.publish'),
    })
    if (sure) await out(null, () => t('articles:editor.goesOutNow'))
  })

  async function schedule() {
    const when = plannedAt(values)
    if (!when) {
      form.setFieldError('planned_at', t('drafts.timeMissing'))
      focusField('planned_at')
      return
    }
    await out(when, ({ post }) => t('articles:editor.scheduled', { when: format.atMoment(post.planned_at ?? when.toISOString()) }))
  }

  const save = useOneAtATime(async (approved: boolean) => {
    const saved = await writing.settle(approved)
    if (!saved) return
    notifications.show({ message: t(approved ? 'drafts.approved' : 'drafts.saved') })
    if (onItsWay) onDone(saved.id)
  })

  const toSite = useOneAtATime(async () => {
    const saved = await writing.settle()
    if (!saved) return
    await update
      .mutateAsync(
        { path: { article_id: saved.id }, body: { version: saved.version } },
        {
          onSuccess: () => {
            notifications.show({ message: t('articles:editor.atSite.asked') })
            onDone(saved.id)
          },
          onError: (problem) => writing.show(problem),
        },
      )
      .catch(() => undefined)
  })

  const leave = useOneAtATime(async () => {
    const saved = await writing.settle()
    if (saved) onDone(saved.id)
  })

  const restore = (saved: ArticleOut) =>
    // the page is left by then: what it says must not depend on it
    void remove
      .mutateAsync({ article: saved, action: 'restore' })
      .then(() => notifications.show({ message: t('articles:restored') }))
      .catch((problem: Parameters<typeof problemText>[1]) =>
        notifications.show({ color: 'red', message: `${t('articles:restoreFailed')} ${problemText(t, problem)}` }),
      )

  const askToDelete = useOneAtATime(async () => {
    // what was typed last comes back by the undo, too
    const saved = await writing.settle()
    if (!saved) return
    remove.mutate(
      { article: saved, action: 'delete' },
      {
        onSuccess: () => {
          showUndo({ message: t('articles:deleted'), label: t('undo'), undo: () => restore(saved) })
          onDeleted()
        },
        onError: (problem) =>
          notifications.show({ color: 'red', message: `${t('articles:deleteFailed')} ${problemText(t, problem)}` }),
      },
    )
  })
  return (
    <form
      ref={headed}
      className="article-form page-wide"
      noValidate
      onKeyDown={keepFromSubmitting}
      onSubmit={(event) => {
        event.preventDefault()
        void (onItsWay ? save(false) : isOut ? toSite() : schedule())
      }}
    >
      <PageHeader
        crumbs={crumbs}
        title={values.title.trim() || t(article ? 'articles:noTitle' : 'articles:editor.new')}
        badge={known ? <ArticleBadge article={known} /> : <StatusBadge status="draft" />}
        sub={<span role="status">{state()}</span>}
        actions={
          <>
            {onItsWay ? (
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
            ) : isOut ? (
              <>
                <Button variant="default" disabled={saving} onClick={() => void leave()}>
                  {t('articles:editor.atSite.done')}
                </Button>
                {known?.at_site?.can_update && (
                  <Button type="submit" loading={update.isPending}>
                    {t('articles:editor.atSite.update')}
                  </Button>
                )}
              </>
            ) : (
              <>
                <Button className="article-save" variant="subtle" disabled={saving || changes === 0} onClick={() => void save(false)}>
                  {t('drafts.saveDraft')}
                </Button>
                <Button variant="default" disabled={publish.isPending} onClick={() => void send()}>
                  {t('articles:editor.publish')}
                </Button>
                <Button type="submit" loading={publish.isPending}>
                  {t('drafts.schedule')}
                </Button>
              </>
            )}
            {known && !writing.isGone && (
              <Menu position="bottom-end">
                <Menu.Target>
                  <ActionIcon size={36} variant="default" aria-label={t('articles:editor.moreActions')} loading={remove.isPending}>
                    <IconDots size={17} aria-hidden />
                  </ActionIcon>
                </Menu.Target>
                <Menu.Dropdown>
                  {onItsWay && <Menu.Item onClick={() => onDone(known.id)}>{t('articles:editor.toArticle')}</Menu.Item>}
                  <Menu.Item
                    c="var(--mantine-color-error)"
                    leftSection={<IconTrash size={16} aria-hidden />}
                    onClick={() => void askToDelete()}
                  >
                    {t('articles:editor.delete')}
                  </Menu.Item>
                </Menu.Dropdown>
              </Menu>
            )}
          </>
        }
      />
      {newer && (
        <BothVersions
          theirs={valuesOf(newer)}
          mine={values}
          before={writing.saved}
          websites={websites.data ?? []}
          onLoad={() => writing.loadNewer(newer)}
          onKeep={() => writing.keepMine(newer)}
        />
      )}
      {writing.isGone && (
        <Banner
          tone="warn"
          title={t('articles:editor.gone')}
          action={
            <Button size="xs" variant="default" onClick={writing.asNew}>
              {t('drafts.asNew')}
            </Button>
          }
        >
          {t('drafts.goneText')}
        </Banner>
      )}
      {website && website.state !== 'connected' && (
        <Banner
          tone="warn"
          title={t('articles:editor.siteAway', { name: website.name })}
          action={
            <Button size="xs" variant="default" component={Link} to={websitePath(website.id)}>
              {t('articles:editor.toSite')}
            </Button>
          }
        >
          {t('articles:editor.siteAwayText')}
        </Banner>
      )}
      {/* what is to be done about a newer one is said with it */}
      <FormErrors message={newer || writing.isGone ? undefined : writing.message} fields={errors} />
      <div className="cols article-cols">
        <div className="stack">
          <Textarea
            data-field="title"
            className="article-title"
            autosize
            minRows={1}
            // a title is one line, however many it takes to show it
            onKeyDown={(event) => {
              if (event.key === 'Enter' && !event.nativeEvent.isComposing) event.preventDefault()
            }}
            label={t('articles:editor.titleField')}
            placeholder={t('articles:editor.titleHint')}
            maxLength={LONGEST_TITLE}
            lang={values.language}
            data-autofocus={!article || undefined}
            {...form.getInputProps('title')}
            onChange={(event) => {
              form.setFieldValue('title', event.currentTarget.value.replace(/\s*[\r\n]+\s*/g, ' '))
              form.clearFieldError('title')
            }}
          />
          <ArticleText
            title={values.title}
            value={content}
            language={values.language}
            error={errors.content}
            preview={preview.data}
            previewError={preview.error}
            lead={{ summary: values.summary, image: featured }}
            gallery={gallery}
            handle={text}
            isBusy={isWritten}
            writing={toolsPlace}
            onChange={(text) => {
              form.setFieldValue('content', text)
              form.clearFieldError('content')
            }}
          />
        </div>
        <div className="stack">
          <div className="article-side" ref={panelPlace} />
          <ArticleFields
            values={fields}
            errors={shownErrors}
            websites={websites.data}
            suggestedSlug={suggested}
            kept={known?.featured}
            isOut={isOut}
            set={form.setFieldValue}
            clear={form.clearFieldError}
            Picker={gallery.Picker}
            places={fieldPlaces}
          />
        </div>
      </div>
      <ArticleWriter
        articleId={writing.id}
        form={form}
        text={text}
        stored={writing.stored}
        places={places}
        onBusy={setWritten}
      />
      <div className="article-foot">
        {isOut ? (
          <Button variant="default" disabled={saving} onClick={() => void leave()}>
            {t('articles:editor.atSite.done')}
          </Button>
        ) : (
          !onItsWay && (
            <Button variant="default" disabled={publish.isPending} onClick={() => void send()}>
              {t('articles:editor.publish')}
            </Button>
          )
        )}
        <Button type="submit" loading={onItsWay ? busy : publish.isPending || update.isPending}>
          {t(onItsWay ? 'save' : isOut ? 'articles:editor.atSite.update' : 'drafts.schedule')}
        </Button>
      </div>
    </form>
  )

  /** What became of what was typed. */
  function state() {
    if (writing.isGone) return t('drafts.notSaved')
    if (saving) return t('drafts.saving')
    if (known?.status === 'draft' && known.approval?.state === 'waiting')
      return t('articles:waitsUntil', { when: format.dayAndTime(known.approval.deadline_at) })
    if (onItsWay && known?.planned_at) return t('articles:goesOut', { when: format.dayAndTime(known.planned_at) })
    if (writing.triesAgain) return t('drafts.triesAgain')
    const [wrong] = Object.values(errors)
    if (changes > 0 && typeof wrong === 'string' && !writing.message) return t('drafts.notSavedWhy', { why: wrong })
    if (changes > 0) return t('drafts.notSaved')
    // whoever loads the page anew finds it from then on
    if (writing.savedAt && !article) return t('drafts.saving')
    if (isOut && writing.savedAt) return t('articles:editor.atSite.savedHere', { time: format.time(writing.savedAt) })
    if (isOut) return t('articles:editor.atSite.savesItself')
    if (writing.savedAt) return t('drafts.draftSaved', { time: format.time(writing.savedAt) })
    if (down?.removal?.removed_at) return t('articles:editor.atSite.takenDown', { when: format.atMoment(down.removal.removed_at) })
    return t(known ? 'drafts.draftKept' : 'drafts.savesItself')
  }
}
