import { useTranslation } from 'react-i18next'
import { PageHeader } from '@/components/page'

const SECTIONS = ['who', 'what', 'browser', 'leaves', 'why', 'rights'] as const

export function PrivacyPolicyRoute() {
  const { t } = useTranslation()
  return (
    <div className="pub-page">
      <PageHeader title={t('privacy.title')} sub={t('privacy.lead')} />
      <div className="reading">
        {SECTIONS.map((section) => (
          <section key={section}>
            <h2>{t(`privacy.${section}Title`)}</h2>
            <p>{t(`privacy.${section}`)}</p>
          </section>
        ))}
      </div>
    </div>
  )
}
