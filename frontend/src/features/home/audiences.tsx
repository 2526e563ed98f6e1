import { IconCalendarHeart, IconServer, IconSpeakerphone, type Icon } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'

const AUDIENCES = [
  ['forMarketing', IconSpeakerphone],
  ['forExperts', IconCalendarHeart],
  ['forCareful', IconServer],
] as const satisfies [string, Icon][]

/** The section with the groups of users. */
export function Audiences() {
  const { t } = useTranslation(['common', 'home'])
  return (
    <section className="home-part" aria-labelledby="home-for">
      <h2 id="home-for">{t('home:forTitle')}</h2>
      <div className="home-audiences">
        {AUDIENCES.map(([name, Icon]) => (
          <div key={name}>
            <Icon size={22} stroke={1.7} aria-hidden />
            <h3>{t(`home:${name}`)}</h3>
            <p>{t(`home:${name}Text`)}</p>
          </div>
        ))}
      </div>
    </section>
  )
}
