import { Button } from '@mantine/core'
import { IconBolt, IconChevronDown, IconPlayerPause, IconPlayerPlay, IconPlayerTrackNext } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { AssistantLiveOut, AssistantOut } from '@/api/types.gen'
import { lazyMenu } from '@/components/lazy-menu'
import { lazyPart } from '@/components/lazy-part'
import { useAssistantControls } from './use-assistant-controls'

const PauseChoices = lazyMenu(async () => (await import('./pause-choices')).PauseChoices)
const PauseDialog = lazyPart(async () => (await import('./pause-dialog')).PauseDialog)

/** The controls of an active assistant, asleep or not; its workflow confirms each change. */
export function AssistantControls({ live, now }: { live: AssistantLiveOut; now: Date }) {
  const { t } = useTranslation(['common', 'runs'])
  const { assistant, next_slot } = live
  const { busy, pause, resume, run, skip } = useAssistantControls(live)
  return (
    <div className="live-actions" role="group" aria-label={t('runs:live.steering.label')}>
      {assistant.pause ? (
        <Button
          size="xs"
          loading={busy === 'resume'}
          leftSection={<IconPlayerPlay size={15} aria-hidden />}
          onClick={() => void resume()}
        >
          {t('runs:live.steering.resume')}
        </Button>
      ) : (
        <PauseMenu assistant={assistant} now={now} busy={busy === 'pause'} onPause={(until) => void pause(until)} />
      )}
      <Button
        size="xs"
        variant="default"
        loading={busy === 'run'}
        leftSection={<IconBolt size={15} aria-hidden />}
        onClick={() => void run()}
      >
        {t('runs:live.steering.run')}
      </Button>
      {next_slot && (
        <Button
          size="xs"
          variant="default"
          loading={busy === 'skip'}
          // the dates are not refetched yet
          disabled={busy === 'pause' || busy === 'resume'}
          leftSection={<IconPlayerTrackNext size={15} aria-hidden />}
          onClick={() => void skip(next_slot)}
        >
          {t('runs:live.steering.skip')}
        </Button>
      )}
    </div>
  )
}

interface PauseMenuProps {
  assistant: AssistantOut
  now: Date
  busy: boolean
  /** Null for no end. */
  onPause: (until: Date | null) => void
}

export function PauseMenu({ assistant, now, busy, onPause }: PauseMenuProps) {
  const { t } = useTranslation(['common', 'runs'])
  const [isDialogOpen, setDialogOpen] = useState(false)
  const zone = assistant.schedule.time_zone
  return (
    <>
      <PauseChoices
        zone={zone}
        now={now}
        onPause={onPause}
        onAskDay={() => setDialogOpen(true)}
        button={(props) => (
          <Button
            size="xs"
            variant="default"
            loading={busy}
            aria-label={t('runs:live.steering.pauseMenu', { name: assistant.name })}
            leftSection={<IconPlayerPause size={15} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
            {...props}
          >
            {t('runs:live.steering.pause')}
          </Button>
        )}
      />
      <PauseDialog
        zone={zone}
        now={now}
        opened={isDialogOpen}
        onClose={() => setDialogOpen(false)}
        onChoose={(until) => {
          setDialogOpen(false)
          onPause(until)
        }}
      />
    </>
  )
}
