import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { AssistantOut } from '@/api/types.gen'
import { Facts } from '@/components/facts'
import { Panel } from '@/components/panel'
import { brandPath } from '@/lib/brand-path'
import { allBrandsQuery } from '@/lib/unpaged-lists'

/** How the assistant's texts are written: the brand, one text for each network or one for all, and the second look. */
export function TextSettings({ assistant }: { assistant: AssistantOut }) {
  const { t } = useTranslation(['common', 'assistants', 'brands'])
  const { brand_id, text_per, second_look, website } = assistant
  const brands = useQuery({ ...allBrandsQuery, enabled: brand_id !== null })
  const brand = brands.data?.items.find(({ id }) => id === brand_id)
  return (
    <Panel title={t('assistants:form.texts')}>
      <Facts
        facts={[
          [
            t('brands:choice.label'),
            brand_id === null ? (
              t('assistants:form.templatesBrand')
            ) : (
              <Link className="link" to={brandPath(brand_id)}>
                {brand?.name ?? t('brands:open')}
              </Link>
            ),
          ],
          [t('assistants:form.textPer'), !website && t(`assistants:form.textsPer.${text_per}`)],
          [t('assistants:form.secondLook'), !website && t(`assistants:form.secondLooks.${second_look}`)],
        ]}
      />
    </Panel>
  )
}
