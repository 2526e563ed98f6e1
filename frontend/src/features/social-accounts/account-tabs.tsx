import { useTranslation } from 'react-i18next'
import { LinkTabs } from '@/components/link-tabs'
import { paths } from '@/lib/paths'

export const accountTabs = ['accounts', 'profile', 'notifications', 'security', 'api-keys', 'data'] as const

export type AccountTab = (typeof accountTabs)[number]

export function AccountTabs({ current }: { current: AccountTab }) {
  const { t } = useTranslation(['common', 'socialAccounts'])
  return (
    <LinkTabs
      label={t('socialAccounts:sections')}
      current={current}
      tabs={accountTabs.map((name) => ({
        name,
        label: t(`socialAccounts:tab.${name}`),
        to: name === 'accounts' ? paths.account : `${paths.account}?tab=${name}`,
      }))}
    />
  )
}
