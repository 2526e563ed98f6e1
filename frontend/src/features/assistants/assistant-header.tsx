import { ActionIcon, Button, Tabs } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { IconDots, IconPencil, IconPlayerPlay, IconPower } from '@tabler/icons-react'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link, useNavigate } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { ChannelIcons } from '@/components/channel'
import { useConfirm } from '@/components/confirm'
import { lazyMenu } from '@/components/lazy-menu'
import { PageHeader } from '@/components/page'
import { Tag } from '@/components/tag'
import { useLanguage } from '@/i18n/locale'
import { websitePath } from '@/lib/article-paths'
import { paths } from '@/lib/paths'
import { problemText } from '@/lib/problems'
import { refetchAssistants, useDeleteAssistant } from './api'
import { AssistantBadge } from './assistant-badge'
import { assistantPath, nameText, type Tab } from './links'
import { hasPrepared, usePreparedChoice } from './prepared-choice'
import { scheduleText } from './schedule-text'
import { useActivation } from './use-activation'
import { contentKindOfAssistant } from '@/lib/content-kind'

const AssistantChoices = lazyMenu(async () => (await import('./assistant-choices')).AssistantChoices)

interface AssistantHeaderProps {
  assistant: AssistantOut
  tab: Tab
}

export function AssistantHeader({ assistant, tab }: AssistantHeaderProps) {
  const { t } = useTranslation(['common', 'assistants', 'navigation'])
  const language = useLanguage()
  const navigate = useNavigate()
  const activation = useActivation()
  const { active } = assistant
  return (
    <PageHeader
      crumbs={[{ label: t('navigation:assistants'), to: paths.assistants }]}
      title={nameText(t, assistant)}
      badge={<AssistantBadge assistant={assistant} />}
      sub={
        <div className="factline">
          {assistant.accounts.length > 0 && <ChannelIcons channels={assistant.accounts.map(({ kind }) => kind)} />}
          {assistant.website && (
            <Link className="link" to={websitePath(assistant.website.id)}>
              {assistant.website.name}
            </Link>
          )}
          <span>{scheduleText(t, assistant.schedule, language) ?? t('assistants:noSchedule')}</span>
          <span className="dim">{assistant.schedule.time_zone}</span>
          {assistant.tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </div>
      }
      actions={
        <>
          {tab !== 'configuration' && (
            <Button
              component={Link}
              to={assistantPath(assistant.id, 'configuration')}
              variant="default"
              leftSection={<IconPencil size={15} aria-hidden />}
            >
              {t('assistants:edit')}
            </Button>
          )}
          <Button
            variant={active ? 'default' : 'filled'}
            loading={activation.busy !== null}
            leftSection={active ? <IconPower size={15} aria-hidden /> : <IconPlayerPlay size={15} aria-hidden />}
            onClick={() => void activation.set(assistant, !active)}
          >
            {t(active ? 'assistants:deactivate' : 'assistants:activate')}
          </Button>
          <MoreMenu assistant={assistant} />
          {activation.dialog}
        </>
      }
    >
      <Tabs
        value={tab}
        onChange={(next) => void navigate(assistantPath(assistant.id, (next ?? 'overview') as Tab))}
      >
        <Tabs.List aria-label={t('assistants:tabs')}>
          <Tabs.Tab value="overview">{t('assistants:tabOverview')}</Tabs.Tab>
          <Tabs.Tab value="posts">{t(assistant.website ? 'assistants:tabArticles' : 'assistants:tabPosts')}</Tabs.Tab>
          <Tabs.Tab value="runs">{t('assistants:tabRuns')}</Tabs.Tab>
          <Tabs.Tab value="configuration">{t('assistants:tabConfiguration')}</Tabs.Tab>
        </Tabs.List>
      </Tabs>
    </PageHeader>
  )
}

function MoreMenu({ assistant }: { assistant: AssistantOut }) {
  const { t } = useTranslation(['common', 'assistants', 'errors'])
  const navigate = useNavigate()
  const confirm = useConfirm()
  const choose = usePreparedChoice()
  const queryClient = useQueryClient()
  const remove = useDeleteAssistant()
  const name = nameText(t, assistant)

  const leave = async () => {
    await navigate(paths.assistants)
    await refetchAssistants(queryClient)
  }
  const askAndDelete = async () => {
    const title = t('assistants:deleteQuestion', { name })
    const prepared = hasPrepared(assistant)
      ? await choose(assistant, { title, publish: t('assistants:deletePublish'), cancel: t('assistants:deleteCancel') })
      : (await confirm({ title, text: t(`assistants:deleteText.${contentKindOfAssistant(assistant)}`), action: t('assistants:delete'), danger: true })) && 'publish'
    if (!prepared) return
    remove.mutate(
      { path: { assistant_id: assistant.id }, query: { prepared } },
      {
        onSuccess: () => {
          notifications.show({ message: t(`assistants:deleted.${contentKindOfAssistant(assistant)}`, { name }) })
          void leave()
        },
        onError: (problem) => {
          const message = t('assistants:deleteFailed', { name, reason: problemText(t, problem) })
          notifications.show({ message, color: 'red' })
        },
      },
    )
  }
  return (
    <AssistantChoices
      isActive={assistant.active}
      onDelete={() => void askAndDelete()}
      button={(props) => (
        <ActionIcon size={36} variant="default" aria-label={t('assistants:more')} loading={remove.isPending} {...props}>
          <IconDots size={17} aria-hidden />
        </ActionIcon>
      )}
    />
  )
}
