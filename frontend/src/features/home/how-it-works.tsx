import { useTranslation } from 'react-i18next'
import { Screen } from './screen'

const STEPS = ['topics', 'schedule', 'proof'] as const

/** Three steps, each with a screenshot. */
export function HowItWorks() {
  const { t } = useTranslation(['common', 'home'])
  return (
    <section className="home-part" aria-labelledby="home-how">
      <h2 id="home-how">{t('home:howTitle')}</h2>
      <ol className="home-steps">
        {STEPS.map((step) => (
          <li key={step}>
            <div className="home-step-text">
              <h3>{t(`home:${step}Title`)}</h3>
              <p>{t(`home:${step}Text`)}</p>
            </div>
            <div className="home-stage">
              <Screen name={step} alt={t(`home:${step}Alt`)} />
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
