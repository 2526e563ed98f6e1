import { useTranslation } from 'react-i18next'
import { channelName } from '@/components/channel'
import { Step, Strands, Thread } from '@/components/thread'
import { RainPicture } from './rain-picture'

/** A run as the live page draws it, as one picture: its parts can't be used. */
export function ExampleRun() {
  const { t } = useTranslation()
  return (
    <div className="hero-example" role="img" aria-label={t('home.example')}>
      <div className="panel live" aria-hidden="true">
        <div className="live-head" data-state="publishing">
          <div>
            <div className="live-kicker">{t('home.exampleName')}</div>
            <h2>{t('home.exampleState')}</h2>
          </div>
        </div>
        <Thread>
          <Step state="done" title={t('home.exampleTopic')} time="08:45" />
          <Step state="done" title={t('home.exampleText')} time="08:46">
            <div className="peek">
              <div className="peek-art">
                <RainPicture />
              </div>
              <p>{t('home.examplePost')}</p>
            </div>
          </Step>
          <Step state="done" title={t('home.exampleApproved')} time="08:52" />
          <Strands
            strands={[
              { id: '1', channel: 'linkedin', name: channelName('linkedin'), status: 'published', note: '09:00:04' },
              { id: '2', channel: 'facebook', name: channelName('facebook'), status: 'published', note: '09:00:05' },
              {
                id: '3',
                channel: 'instagram',
                name: channelName('instagram'),
                status: 'publishing',
                note: t('home.exampleProcessing'),
              },
            ]}
          />
          <Step last state="todo" title={t('home.exampleNext')} />
        </Thread>
      </div>
    </div>
  )
}
