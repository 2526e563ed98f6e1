import { Button, Title } from '@mantine/core'
import { IconArrowRight, IconCheck } from '@tabler/icons-react'
import { Link } from 'react-router'
import { usePageDescription, usePageTitle } from '@/components/page'
import { Audiences } from '@/features/home/audiences'
import { HowItWorks } from '@/features/home/how-it-works'
import { LivingThread } from '@/features/home/living-thread'
import { useTranslation } from '@/i18n/translation'
import { paths } from '@/lib/paths'

export function HomeRoute() {
  const { t } = useTranslation()
  usePageTitle()
  usePageDescription(t('home.lead'))
  return (
    <>
      <div className="hero">
        <div className="hero-text">
          <Title order={1}>{t('home.title')}</Title>
          <p>{t('home.lead')}</p>
          <div className="hero-cta">
            <Button component={Link} to={paths.signUp} size="md" rightSection={<IconArrowRight size={17} aria-hidden />}>
              {t('home.signUp')}
            </Button>
            <Button component={Link} to={paths.signIn} size="md" variant="default">
              {t('navigation.login')}
            </Button>
          </div>
          <ul className="hero-points">
            {[t('home.onePost'), t('home.yourOk'), t('home.accounted')].map((point) => (
              <li key={point}>
                <IconCheck size={16} stroke={2.4} aria-hidden /> {point}
              </li>
            ))}
          </ul>
        </div>
        <LivingThread />
      </div>
      <Audiences />
      <HowItWorks />
      <section className="home-part" aria-labelledby="home-today">
        <h2 id="home-today">{t('home.todayTitle')}</h2>
        <p>{t('home.today')}</p>
      </section>
    </>
  )
}
