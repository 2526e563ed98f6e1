import { ActionIcon, Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { IconDots, IconPlugConnected, IconStethoscope } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { generatePath, Link } from 'react-router'
import type { GivenBack, WebsiteOut } from '@/api/types.gen'
import { useConfirm } from '@/components/confirm'
import { lazyMenu } from '@/components/lazy-menu'
import { openDialog } from '@/lib/dialogs'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { useRemoveWebsite } from './api'
import { ChangeDialog, ConnectDialog } from './dialogs'

const WebsiteChoices = lazyMenu(async () => (await import('./website-choices')).WebsiteChoices)

/** Renders the results of checking a website. */
export type Check = (website: WebsiteOut, onDone: () => void, onReconnect: () => void) => ReactNode

interface WebsiteActionsProps {
  website: WebsiteOut
  check: Check
  /** On the website's own page, the button to check is beside the menu, and a banner has the one to reconnect. */
  inHead?: boolean
  onRemoved?: () => void
}

/** The actions on a website: check, change, reconnect and remove it. */
export function WebsiteActions({ website, check, inHead = false, onRemoved }: WebsiteActionsProps) {
  const { t } = useTranslation(['common', 'websites'])
  const { askToRemove, isRemoving } = useRemoval(website, onRemoved)
  const [changing, change] = useDisclosure()
  const [reconnecting, reconnect] = useDisclosure()
  const { name } = website

  const openCheck = () =>
    openDialog((close) => ({
      title: t('websites:checkTitle', { name }),
      children: check(website, close, () => {
        close()
        reconnect.open()
      }),
    }))

  const isAway = website.state !== 'connected'
  return (
    <>
      {inHead && !isAway && (
        <Button variant="default" leftSection={<IconStethoscope size={15} aria-hidden />} onClick={openCheck}>
          {t('websites:check')}
        </Button>
      )}
      {isAway && !inHead && (
        <Button size="xs" leftSection={<IconPlugConnected size={14} aria-hidden />} onClick={reconnect.open}>
          {t('websites:reconnect')}
        </Button>
      )}
      <WebsiteChoices
        website={website}
        onCheck={openCheck}
        onChange={change.open}
        onReconnect={reconnect.open}
        onRemove={() => void askToRemove()}
        button={(props) => (
          <ActionIcon
            size={36}
            variant={inHead ? 'default' : 'subtle'}
            aria-label={t('websites:more', { name })}
            loading={isRemoving}
            {...props}
          >
            <IconDots size={17} aria-hidden />
          </ActionIcon>
        )}
      />
      <ChangeDialog opened={changing} website={website} onClose={change.close} />
      <ConnectDialog opened={reconnecting} website={website} onClose={reconnect.close} />
    </>
  )
}

/** Return what removes a website, after a question. A website that an assistant uses stays. */
function useRemoval(website: WebsiteOut, onRemoved?: () => void) {
  const { t } = useTranslation(['common', 'errors', 'websites'])
  const confirm = useConfirm()
  const remove = useRemoveWebsite()
  const { name, articles: count } = website

  /** Show which assistant uses the website, with a link to the assistant. */
  const showInUse = (by: string, to: string) =>
    openDialog((close) => ({
      title: t('websites:inUseTitle', { name }),
      children: (
        <>
          <p className="prose">{t('websites:inUseText', { by })}</p>
          <div className="buttons at-end">
            <Button variant="default" onClick={close}>
              {t('cancel')}
            </Button>
            <Button component={Link} to={to} onClick={close}>
              {t('websites:toAssistant')}
            </Button>
          </div>
        </>
      ),
    }))

  const askToRemove = async () => {
    if (website.assistant) return showInUse(website.assistant.name, generatePath(paths.assistant, { assistantId: website.assistant.id }))
    const sure = await confirm({
      title: t('websites:removeTitle', { name }),
      text: t(website.feed ? 'websites:removeHere' : 'websites:removeText', { count }),
      action: t('websites:removeAction'),
      danger: true,
    })
    if (!sure) return
    remove.mutate(
      { path: { website_id: website.id } },
      {
        onSuccess: ({ access }) => {
          const left = access && stillOpen(access)
          const message = t('websites:removed', { name })
          notifications.show(left ? { message: `${message} ${t(left)}`, color: 'yellow', autoClose: 12_000 } : { message })
          onRemoved?.()
        },
        onError: (problem) => {
          // an assistant uses the website since this page was opened
          if (problem.code === 'in_use') showInUse(String(problem.params.by), paths.assistants)
          else notifications.show({ color: 'red', message: `${t('websites:removeFailed', { name })} ${problemText(t, problem)}` })
        },
      },
    )
  }
  return { askToRemove, isRemoving: remove.isPending }
}

/** Return the text about access that the website has not revoked. */
function stillOpen(access: GivenBack) {
  if (access === 'waiting') return 'websites:accessWaiting'
  if (access === 'refused') return 'websites:accessRefused'
  return null
}
