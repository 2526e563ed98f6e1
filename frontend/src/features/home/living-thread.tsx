import { firstChannel } from '@/components/channel'
import { ActionIcon } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import type { Status } from '@/components/status'
import { Step, Strands, Thread, type StepState } from '@/components/thread'
import rain from './rain.svg'
import { useScene, type Scene } from './use-scene'
import './home.css'

interface RunScene extends Scene {
  name: 'first' | 'both' | 'asleep' | 'topic' | 'text' | 'image' | 'ready' | 'sending'
  /** The colour of the head, as on the live page. */
  mood: 'publishing' | 'preparing' | 'ready' | 'asleep'
  steps: [topic: StepState, content: StepState, wait: StepState, sleep: StepState]
  accounts: [Status, Status]
}

/** The scenes of a run on the live page. They begin with the richest one, and pause where nothing happens. */
const SCENES: [RunScene, ...RunScene[]] = [
  { name: 'first', mood: 'publishing', rest: 4_500, steps: ['done', 'done', 'done', 'todo'], accounts: ['published', 'publishing'] },
  { name: 'both', mood: 'ready', rest: 6_000, steps: ['done', 'done', 'done', 'todo'], accounts: ['published', 'published'] },
  { name: 'asleep', mood: 'asleep', rest: 9_000, steps: ['done', 'done', 'done', 'active'], accounts: ['published', 'published'] },
  { name: 'topic', mood: 'preparing', rest: 2_200, steps: ['active', 'todo', 'todo', 'todo'], accounts: ['draft', 'draft'] },
  { name: 'text', mood: 'preparing', rest: 3_600, steps: ['done', 'active', 'todo', 'todo'], accounts: ['draft', 'draft'] },
  { name: 'image', mood: 'preparing', rest: 3_000, steps: ['done', 'active', 'todo', 'todo'], accounts: ['draft', 'draft'] },
  { name: 'ready', mood: 'ready', rest: 4_500, steps: ['done', 'done', 'active', 'todo'], accounts: ['complete', 'complete'] },
  { name: 'sending', mood: 'publishing', rest: 2_400, steps: ['done', 'done', 'done', 'todo'], accounts: ['publishing', 'publishing'] },
]

const ACCOUNTS = [
  { id: 'mara', name: 'Mara Lind', live: '09:00:01' },
  { id: 'jonas', name: 'Jonas Weber', live: '09:00:02' },
] as const

/** An example run in the live page's components; for screen readers it is one image. */
export function LivingThread() {
  const { t } = useTranslation(['common', 'home'])
  const { ref, scene, still, stopped, calm, toggle } = useScene(SCENES)
  const [topic, content, wait, sleep] = scene.steps
  const Icon = stopped ? IconPlayerPlay : IconPlayerPause
  return (
    <div className="hero-stage" ref={ref} data-still={still || undefined}>
      <div role="img" aria-label={t('home:run.description')}>
        <div className="panel live" aria-hidden="true">
          <div className="live-head" data-state={scene.mood}>
            <div className="grow">
              <div className="live-kicker">{t('home:run.assistant')}</div>
              <p className="hero-state">
                <New>{t(`home:run.state.${scene.name}`)}</New>
              </p>
            </div>
          </div>
          <Thread>
            <Step
              state={topic}
              title={<New>{t(topic === 'done' ? 'home:run.topicDone' : 'home:run.topicActive')}</New>}
              time={topic === 'done' && '08:45'}
            />
            <Step
              state={content}
              title={<New>{t(`home:run.content.${contentWord(scene)}`)}</New>}
              time={content === 'done' && '08:46'}
            >
              <div className="peek">
                <div className="peek-art" data-shown={content === 'done' || undefined}>
                  <img src={rain} alt="" width={84} height={63} />
                </div>
                <p data-shown={content === 'done' || scene.name === 'image' || undefined}>{t('home:run.text')}</p>
              </div>
            </Step>
            <Step
              state={wait}
              title={<New>{t(wait === 'done' ? 'home:run.waitDone' : 'home:run.wait')}</New>}
              time={wait === 'done' ? '09:00' : undefined}
            />
            <Strands
              reached={wait === 'done'}
              strands={ACCOUNTS.map(({ id, name, live }, index) => {
                const status = scene.accounts[index] ?? 'draft'
                return {
                  id,
                  name,
                  status,
                  channel: firstChannel,
                  label: status === 'draft' ? t('home:run.planned') : undefined,
                  note: <New>{noteOf(status, live)}</New>,
                }
              })}
            />
            <Step last state={sleep} title={<New>{t(sleep === 'active' ? 'home:run.asleep' : 'home:run.sleep')}</New>} />
          </Thread>
        </div>
      </div>
      {!calm && (
        <ActionIcon
          className="hero-stop"
          variant="transparent"
          size={32}
          aria-label={t(stopped ? 'home:run.play' : 'home:run.stop')}
          title={t(stopped ? 'home:run.play' : 'home:run.stop')}
          onClick={toggle}
        >
          <Icon size={16} aria-hidden />
        </ActionIcon>
      )}
    </div>
  )

  function noteOf(status: Status, live: string) {
    if (status === 'published') return t('home:run.liveSince', { time: live })
    return status === 'publishing' ? t('home:run.sending') : t('home:run.goesOut')
  }
}

/** Fade in changed content. */
const New = ({ children }: { children: string }) => (
  <span key={children} className="hero-new">
    {children}
  </span>
)

function contentWord({ name, steps: [, content] }: RunScene): 'done' | 'todo' | 'text' | 'image' {
  if (content !== 'active') return content === 'done' ? 'done' : 'todo'
  return name === 'image' ? 'image' : 'text'
}
