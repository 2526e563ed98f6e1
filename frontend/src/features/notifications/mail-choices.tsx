import { SegmentedControl } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQuery } from '@tanstack/react-query'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { MailTopic, type MailTiming, type NotificationSettingOut } from '@/api/types.gen'
import { Failure } from '@/components/failure'
import { FormSection } from '@/components/form-section'
import { RowSkeletons } from '@/components/skeletons'
import { showUndo } from '@/components/undo'
import { useProblemText } from '@/components/use-problem-text'
import { useTimeZone } from '@/i18n/use-format'
import { settingsQuery, useChoose } from './api'
import './notifications.css'

/** The choice per topic: a mail at once, in the morning, or never. Each choice is saved. */
export default function MailChoices() {
  const { t } = useTranslation(['common', 'notifications'])
  const zone = useTimeZone()
  const settings = useQuery(settingsQuery)
  if (settings.isError && !settings.data)
    return (
      <Failure
        title={t('notifications:settings.failed')}
        problem={settings.error}
        onRetry={() => void settings.refetch()}
      />
    )
  if (!settings.data) return <RowSkeletons rows={6} />
  const isOverview = ({ topic }: NotificationSettingOut) => topic === MailTopic.OVERVIEW
  return (
    <div>
      <FormSection title={t('notifications:settings.mails')} hint={t('notifications:settings.hint')}>
        <Choices settings={settings.data.filter((setting) => !isOverview(setting))} />
      </FormSection>
      <FormSection
        title={t('notifications:settings.overviewTitle')}
        hint={t('notifications:settings.overviewHint', { zone })}
      >
        <Choices settings={settings.data.filter(isOverview)} />
      </FormSection>
    </div>
  )
}

function Choices({ settings }: { settings: NotificationSettingOut[] }) {
  return (
    <ul className="choices">
      {settings.map((setting) => (
        <Choice key={setting.topic} setting={setting} />
      ))}
    </ul>
  )
}

function Choice({ setting: { topic, mail, choices } }: { setting: NotificationSettingOut }) {
  const { t } = useTranslation(['common', 'notifications'])
  const id = useId()
  const choosing = useChoose()
  const problemText = useProblemText()
  const name = t(`notifications:settings.topic.${topic}`)

  const choose = (chosen: MailTiming, before: MailTiming | null) =>
    choosing.mutate(
      { path: { topic }, body: { mail: chosen } },
      {
        onSuccess: () => {
          const message = t('notifications:settings.saved', {
            topic: name,
            choice: labelOf(chosen),
          })
          if (before) showUndo({ message, label: t('undo'), undo: () => choose(before, null) })
          else notifications.show({ message })
        },
        onError: (problem) =>
          void notifications.show({
            color: 'red',
            message: `${t('notifications:settings.notSaved', { topic: name })} ${problemText(problem)}`,
          }),
      },
    )

  // the overview is on or off independently, so it is not a topic
  function labelOf(choice: (typeof choices)[number]) {
    const ofOverview = topic === 'overview' && choice !== 'at_once'
    return t(ofOverview ? `notifications:settings.overviewChoice.${choice}` : `notifications:settings.choice.${choice}`)
  }

  return (
    <li>
      <div className="choice-about">
        <b id={id}>{name}</b>
        <p id={`${id}-about`}>{t(`notifications:settings.about.${topic}`)}</p>
      </div>
      <SegmentedControl
        name={topic}
        aria-labelledby={id}
        aria-describedby={`${id}-about`}
        data={choices.map((value) => ({ value, label: labelOf(value) }))}
        value={mail}
        onChange={(value) => {
          const chosen = choices.find((choice) => choice === value)
          if (chosen && chosen !== mail) choose(chosen, mail)
        }}
      />
    </li>
  )
}
