import { Combobox, Loader, Modal, TextInput, useCombobox } from '@mantine/core'
import { useDebouncedValue, useForceUpdate } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import {
  IconBinaryTree,
  IconCards,
  IconHistory,
  IconKey,
  IconListTree,
  IconPencilPlus,
  IconLogout,
  IconPhoto,
  IconPlayerPlay,
  IconSearch,
  IconTemplate,
  IconTicket,
  IconTimeline,
  IconUpload,
  IconWriting,
  type Icon,
} from '@tabler/icons-react'
import { useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { listTemplatesOptions, searchObjectsOptions } from '@/api/@tanstack/react-query.gen'
import type { SearchHitOut, SearchKind } from '@/api/types.gen'
import { useProblemText } from '@/components/use-problem-text'
import { newKeyPath } from '@/features/users/settings/links'
import { assistantPath, newAssistantPath, postPath } from '@/features/assistants/links'
import { newInvitationPath } from '@/features/users/invitations/links'
import { designerPath, imagePath } from '@/features/media/links'
import { useSignOut } from '@/features/users/session/api'
import { newTemplatePath, templatePath } from '@/features/templates/links'
import { newTopicTreePath, topicTreePath } from '@/features/topics/links'
import { useFormat } from '@/i18n/use-format'
import { freshQueryOptions } from '@/lib/fresh-query-options'
import { composePath } from '@/lib/compose-path'
import { paths } from '@/lib/paths'
import { toProblem } from '@/lib/problems'
import { accountPages, furtherPages } from './further-pages'
import { groups } from './pages'
import { usePreferences } from './preferences'
import { useRecentPages } from './recent-pages'

const WAIT = 200 // ms after the last keystroke

interface Command {
  id: string
  label: string
  /** A page's group, or a post's planned time. */
  hint?: string
  icon: Icon
  run: () => void
}

interface CommandMenuProps {
  opened: boolean
  onClose: () => void
}

/** Search for pages, objects and actions by name, with the keyboard. */
export function CommandMenu({ opened, onClose }: CommandMenuProps) {
  const { t } = useTranslation(['common', 'navigation'])
  return (
    <Modal.Root opened={opened} onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('navigation:searchLabel')}>
        <CommandList onDone={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

/** The list of commands, mounted on each opening, so that it starts without a query. */
function CommandList({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation(['common', 'navigation'])
  const [query, setQuery] = useState('')
  const objects = useObjectCommands(query)
  const pages = usePageCommands().filter((command) => matches(command, query))
  const actions = useActionCommands().filter((command) => matches(command, query))
  const recent = useRecentCommands()
  const lists = [
    { label: t('navigation:recent'), commands: query.trim() === '' ? recent : [] },
    { label: t('navigation:pages'), commands: pages },
    ...objects.lists,
    { label: t('navigation:actions'), commands: actions },
  ].filter(({ commands }) => commands.length > 0)
  const all = lists.flatMap(({ commands }) => commands)
  // without results the field must not be announced as expanded
  const opened = all.length > 0
  const combobox = useCombobox({ opened })
  // the field gets the list's id only after the list is rendered, and would announce it at the next keystroke, so
  // render again; with Mantine's own id the list would get another one then
  const listId = useId()
  const drawAgain = useForceUpdate()
  useEffect(() => drawAgain(), [opened, drawAgain])

  const run = (id: string) => {
    onDone()
    all.find((command) => command.id === id)?.run()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={run}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          className="command-input"
          data-autofocus
          aria-label={t('navigation:searchLabel')}
          placeholder={t('navigation:search')}
          leftSection={<IconSearch size={17} aria-hidden />}
          rightSection={objects.searching && <Loader size={15} aria-hidden />}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            combobox.resetSelectedOption()
          }}
          onKeyDown={(event) => {
            if (event.nativeEvent.isComposing) return
            // an open list swallows Escape, so close the dialog here; Tab returns the focus to where it was
            if (event.key === 'Escape' || event.key === 'Tab') {
              event.preventDefault()
              onDone()
            }
            // Enter runs the first command if none is selected
            const first = all[0]
            if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1 && first) run(first.id)
          }}
        />
      </Combobox.EventsTarget>
      {opened ? (
        <Combobox.Options id={listId} className="command-list" aria-label={t('navigation:searchLabel')}>
          {lists.map(({ label, commands }) => (
            <Commands key={label} label={label} commands={commands} />
          ))}
        </Combobox.Options>
      ) : (
        <p className="command-none" role="status">
          {objects.searching ? t('navigation:searching') : t('navigation:nothingFound', { query })}
        </p>
      )}
    </Combobox>
  )
}

function Commands({ label, commands }: { label: string; commands: Command[] }) {
  return (
    <Combobox.Group label={label}>
      {commands.map(({ id, label, hint, icon: Icon }) => (
        <Combobox.Option key={id} value={id} className="command">
          <Icon size={17} stroke={1.7} aria-hidden />
          {label}
          {hint && <small>{hint}</small>}
        </Combobox.Option>
      ))}
    </Combobox.Group>
  )
}

const KINDS: Record<SearchKind, { icon: Icon; path: (id: string) => string }> = {
  assistant: { icon: IconTimeline, path: assistantPath },
  template: { icon: IconTemplate, path: templatePath },
  topic_tree: { icon: IconBinaryTree, path: topicTreePath },
  post: { icon: IconWriting, path: postPath },
  image: { icon: IconPhoto, path: imagePath },
}

/** Return the objects that the server finds, by kind. */
function useObjectCommands(query: string) {
  const { t } = useTranslation(['common', 'navigation'])
  const format = useFormat()
  const navigate = useNavigate()
  const typed = query.trim()
  const [debouncedText] = useDebouncedValue(typed, WAIT)
  const { data, isFetching } = useQuery({
    ...searchObjectsOptions({ query: { q: debouncedText } }),
    enabled: debouncedText !== '',
    placeholderData: keepPreviousData,
  })
  const hits = typed === '' || debouncedText === '' ? [] : (data?.items ?? [])
  const command = ({ kind, id, name, planned_at }: SearchHitOut): Command => ({
    id: `${kind}-${id}`,
    label: name || t('navigation:unnamed'),
    hint: planned_at ? format.dayAndTime(planned_at) : undefined,
    icon: KINDS[kind].icon,
    run: () => void navigate(KINDS[kind].path(id)),
  })
  return {
    lists: (Object.keys(KINDS) as SearchKind[]).map((kind) => ({
      label: t(`navigation:found.${kind}`),
      commands: hits.filter((hit) => hit.kind === kind).map(command),
    })),
    searching: typed !== '' && (isFetching || debouncedText !== typed),
  }
}

function useRecentCommands(): Command[] {
  const navigate = useNavigate()
  return useRecentPages().map(({ path, title }) => ({
    id: `recent-${path}`,
    label: title,
    icon: IconHistory,
    run: () => void navigate(path),
  }))
}

function usePageCommands(): Command[] {
  const { t } = useTranslation(['common', 'socialAccounts', 'navigation'])
  const navigate = useNavigate()
  const inNavigation = groups.flatMap(({ name, pages }) =>
    pages.map((page) => ({ page, hint: name && t(`navigation:${name}`) })),
  )
  const pages = [...inNavigation, ...furtherPages.map((page) => ({ page, hint: undefined }))].map(({ page, hint }) => ({
    id: page.name,
    label: t(`navigation:${page.name}`),
    hint,
    icon: page.icon,
    run: () => void navigate(page.to),
  }))
  const ofAccount = accountPages.map(({ tab, to, icon }) => ({
    id: tab,
    label: t(`socialAccounts:tab.${tab}`),
    hint: t('navigation:account'),
    icon,
    run: () => void navigate(to),
  }))
  return [...pages, ...ofAccount]
}

function useActionCommands(): Command[] {
  const { t } = useTranslation(['common', 'socialAccounts', 'assistants', 'invitations', 'media', 'navigation', 'templates', 'topics'])
  const { language, colourScheme } = usePreferences()
  const signOut = useSignOut()
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const textOf = useProblemText()
  /** Open the editor of the most recently changed template. */
  const tryOut = async () => {
    try {
      const { items } = await queryClient.fetchQuery({ ...listTemplatesOptions({ query: { page_size: 1 } }), ...freshQueryOptions })
      await navigate(items[0] ? templatePath(items[0].id) : newTemplatePath)
    } catch (error) {
      notifications.show({ color: 'red', message: `${t('templates:listFailed')}. ${textOf(toProblem(error))}` })
    }
  }
  return [
    { id: 'newPost', label: t('navigation:newPost'), icon: IconPencilPlus, run: () => void navigate(composePath()) },
    { id: 'newAssistant', label: t('assistants:create'), icon: IconTimeline, run: () => void navigate(newAssistantPath) },
    { id: 'newTemplate', label: t('templates:create'), icon: IconTemplate, run: () => void navigate(newTemplatePath) },
    { id: 'tryOut', label: t('navigation:tryOut'), icon: IconPlayerPlay, run: () => void tryOut() },
    { id: 'newTree', label: t('topics:newTree'), icon: IconBinaryTree, run: () => void navigate(newTopicTreePath) },
    { id: 'importTopics', label: t('topics:import'), icon: IconListTree, run: () => void navigate(`${paths.topics}?import`) },
    { id: 'upload', label: t('navigation:upload'), icon: IconUpload, run: () => void navigate(paths.mediaGallery) },
    { id: 'designCard', label: t('media:designCard'), icon: IconCards, run: () => void navigate(designerPath()) },
    { id: 'invite', label: t('invitations:create'), icon: IconTicket, run: () => void navigate(newInvitationPath) },
    { id: 'newKey', label: t('socialAccounts:newKey'), icon: IconKey, run: () => void navigate(newKeyPath) },
    {
      id: 'language',
      label: t('navigation:switchLanguage', { language: language.label }),
      icon: language.icon,
      run: language.change,
    },
    { id: 'colourScheme', label: colourScheme.label, icon: colourScheme.icon, run: colourScheme.change },
    { id: 'logout', label: t('navigation:logout'), icon: IconLogout, run: () => void signOut() },
  ]
}

/** Return whether every word of the query is in the name or hint. */
function matches({ label, hint = '' }: Command, query: string): boolean {
  const text = `${label} ${hint}`.toLocaleLowerCase()
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
