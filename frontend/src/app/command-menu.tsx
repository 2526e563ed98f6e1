import { Combobox, Modal, TextInput, useCombobox } from '@mantine/core'
import { IconCards, IconKey, IconListTree, IconLogout, IconSearch, IconTemplate, IconTicket, type Icon } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { newKeyPath } from '@/features/account/links'
import { newInvitationPath } from '@/features/invitations/links'
import { designerPath } from '@/features/media/links'
import { useSignOut } from '@/features/session/api'
import { newTemplatePath } from '@/features/templates/links'
import { paths } from '@/lib/paths'
import { accountPages, furtherPages, groups } from './pages'
import { usePreferences } from './preferences'

interface Command {
  id: string
  label: string
  /** The group of a page. */
  hint?: string
  icon: Icon
  run: () => void
}

interface CommandMenuProps {
  opened: boolean
  onClose: () => void
}

/** Every page and action by its name, from the keyboard. */
export function CommandMenu({ opened, onClose }: CommandMenuProps) {
  const { t } = useTranslation()
  return (
    <Modal.Root opened={opened} onClose={onClose}>
      <Modal.Overlay />
      <Modal.Content aria-label={t('navigation.searchLabel')}>
        <CommandList onDone={onClose} />
      </Modal.Content>
    </Modal.Root>
  )
}

/** Mounted anew with each opening, so that it starts without a query. */
function CommandList({ onDone }: { onDone: () => void }) {
  const { t } = useTranslation()
  const [query, setQuery] = useState('')
  const combobox = useCombobox({ opened: true })
  const pages = usePageCommands().filter((command) => matches(command, query))
  const actions = useActionCommands().filter((command) => matches(command, query))

  const run = (id: string) => {
    onDone()
    ;[...pages, ...actions].find((command) => command.id === id)?.run()
  }
  return (
    <Combobox store={combobox} onOptionSubmit={run}>
      <Combobox.EventsTarget>
        <TextInput
          className="command-input"
          data-autofocus
          aria-label={t('navigation.searchLabel')}
          placeholder={t('navigation.search')}
          leftSection={<IconSearch size={17} aria-hidden />}
          value={query}
          onChange={(event) => {
            setQuery(event.currentTarget.value)
            combobox.resetSelectedOption()
          }}
          // Enter takes the first one when none was chosen
          onKeyDown={(event) => {
            const first = pages[0] ?? actions[0]
            if (event.key === 'Enter' && combobox.getSelectedOptionIndex() === -1 && first) run(first.id)
          }}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className="command-list" aria-label={t('navigation.searchLabel')} tabIndex={0}>
        {pages.length > 0 && <Commands label={t('navigation.pages')} commands={pages} />}
        {actions.length > 0 && <Commands label={t('navigation.actions')} commands={actions} />}
        {pages.length + actions.length === 0 && (
          <Combobox.Empty>{t('navigation.nothingFound', { query })}</Combobox.Empty>
        )}
      </Combobox.Options>
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

function usePageCommands(): Command[] {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const inNavigation = groups.flatMap(({ name, pages }) =>
    pages.map((page) => ({ page, hint: name && t(`navigation.${name}`) })),
  )
  const pages = [...inNavigation, ...furtherPages.map((page) => ({ page, hint: undefined }))].map(({ page, hint }) => ({
    id: page.name,
    label: t(`navigation.${page.name}`),
    hint,
    icon: page.icon,
    run: () => void navigate(page.to),
  }))
  const ofAccount = accountPages.map(({ tab, to, icon }) => ({
    id: tab,
    label: t(`accounts.tab.${tab}`),
    hint: t('navigation.account'),
    icon,
    run: () => void navigate(to),
  }))
  return [...pages, ...ofAccount]
}

function useActionCommands(): Command[] {
  const { t } = useTranslation()
  const { language, colourScheme } = usePreferences()
  const signOut = useSignOut()
  const navigate = useNavigate()
  return [
    { id: 'newTemplate', label: t('templates.create'), icon: IconTemplate, run: () => void navigate(newTemplatePath) },
    { id: 'importTopics', label: t('topics.import'), icon: IconListTree, run: () => void navigate(`${paths.topics}?import`) },
    { id: 'designCard', label: t('media.designCard'), icon: IconCards, run: () => void navigate(designerPath()) },
    { id: 'invite', label: t('invitations.create'), icon: IconTicket, run: () => void navigate(newInvitationPath) },
    { id: 'newKey', label: t('account.newKey'), icon: IconKey, run: () => void navigate(newKeyPath) },
    {
      id: 'language',
      label: t('navigation.switchLanguage', { language: language.label }),
      icon: language.icon,
      run: language.change,
    },
    { id: 'colourScheme', label: colourScheme.label, icon: colourScheme.icon, run: colourScheme.change },
    { id: 'logout', label: t('navigation.logout'), icon: IconLogout, run: () => void signOut() },
  ]
}

/** Every word of the query stands somewhere in the name or its group. */
function matches({ label, hint = '' }: Command, query: string): boolean {
  const text = `${label} ${hint}`.toLocaleLowerCase()
  return query
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}
