import { Button } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconPlugConnected } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { WebsiteOut } from '@/api/types.gen'
import { Banner } from '@/components/banner'
import { channelName } from '@/components/channel'
import { PageHeader } from '@/components/page'
import { isLanguage } from '@/i18n/languages'
import { useFormat } from '@/i18n/use-format'
import { paths } from '@/lib/paths'
import { shortAddress } from './address'
import { ConnectDialog } from './dialogs'
import { WebsiteActions, type Check } from './website-actions'
import { WebsiteState } from './website-state'
import './websites.css'

interface WebsiteHeadProps {
  website: WebsiteOut
  check: Check
  /** The primary action of the page. */
  action: ReactNode
  onRemoved: () => void
  children?: ReactNode
}

/** The head of a website's page: kind, state and actions. */
export function WebsiteHead({ website, check, action, onRemoved, children }: WebsiteHeadProps) {
  const { t } = useTranslation(['common', 'websites'])
  const format = useFormat()
  const [reconnecting, reconnect] = useDisclosure()
  const { name, kind, url, handle, language, last_used_at: used, state } = website
  return (
    <>
      <PageHeader
        crumbs={[{ label: t('websites:title'), to: paths.websites }]}
        title={name}
        badge={<WebsiteState website={website} />}
        sub={
          <span className="site-facts">
            <a className="link" href={url} target="_blank" rel="noreferrer">
              {shortAddress(url)}
            </a>
            <span>{[channelName(kind), handle && t('websites:as', { handle })].filter(Boolean).join(' ')}</span>
            <span>{isLanguage(language) ? t(`languages.${language}`) : language}</span>
            {used && (
              <span>
                {t('websites:lastUsed')}: <time dateTime={used}>{format.dayAndTime(used)}</time>
              </span>
            )}
          </span>
        }
        actions={
          <>
            {action}
            <WebsiteActions website={website} check={check} inHead onRemoved={onRemoved} />
          </>
        }
      >
        {children}
      </PageHeader>
      {state !== 'connected' && (
        <div className="website-away">
          <Banner
            tone="bad"
            title={t('websites:away')}
            icon={<IconPlugConnected size={18} stroke={1.9} aria-hidden />}
            action={
              <Button size="xs" onClick={reconnect.open}>
                {t('websites:reconnect')}
              </Button>
            }
          >
            {t('websites:awayText')}
          </Banner>
        </div>
      )}
      <ConnectDialog opened={reconnecting} website={website} onClose={reconnect.close} />
    </>
  )
}
